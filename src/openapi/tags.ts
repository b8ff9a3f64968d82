const TAGS: Readonly<Record<string, string>> = {
  Catalog: 'Catalogs',
  KeyAuth: 'Keys',
}

/** The heading of an operation: the first word of its path, or Products below a catalog. */
export function tagOf(path: string): string {
  const [, , first = '', , third] = path.split('/')
  if (first === 'Catalog' && third !== undefined) return 'Products'
  return TAGS[first] ?? first.charAt(0).toUpperCase() + first.slice(1)
}

/** Headings in the order of reading: what most callers come for stands first. */
const FIRST = ['Search', 'Products', 'Catalogs']

export function tagsOf(paths: readonly string[]): string[] {
  const tags = new Set(paths.map(tagOf))
  return [...new Set([...FIRST.filter((tag) => tags.has(tag)), ...tags])]
}
