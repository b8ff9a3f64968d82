import { useShop } from '../shop/shop.ts'

export function Footer() {
  const { settings, session } = useShop()
  const isDemo = session.access.catalog === settings.demo?.catalog
  return (
    <footer class="footer">
      {isDemo && (
        <p>
          A demonstration: products, makers, vendors and prices are made up. Everything here is
          asked of this service by its own interface.
        </p>
      )}
      <nav aria-label="About the service">
        <a href="docs">Every operation, to try</a>
        <a href="docs/interface.md">The interface</a>
        <a href="docs/imports.md">Importing your catalog</a>
        <a href="console">Console</a>
        <a href="openapi/6.0.json">OpenAPI</a>
      </nav>
    </footer>
  )
}
