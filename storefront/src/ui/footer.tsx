import { useShop } from '../shop/shop.ts'

export function Footer() {
  const { settings, session } = useShop()
  const isDemo = session.access.catalog === settings.demo?.catalog
  return (
    <footer class="footer">
      {isDemo && (
        <p>
          This is a demo store. Products, brands, vendors and prices are fictional, and every page
          uses Aisle’s own API.
        </p>
      )}
      <nav aria-label="About Aisle">
        <a href="docs">API reference</a>
        <a href="docs/interface.md">API guide</a>
        <a href="docs/imports.md">Import your catalog</a>
        <a href="console">Console</a>
        <a href="openapi/6.0.json">OpenAPI</a>
      </nav>
    </footer>
  )
}
