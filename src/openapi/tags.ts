const TAGS: Readonly<Record<string, string>> = {
  Catalog: 'Catalogs',
  KeyAuth: 'Keys',
}

/** The tag of an operation: the first word of its path, or Products below a catalog. */
export function tagOf(path: string): string {
  const [, , first = '', , third] = path.split('/')
  if (first === 'Catalog' && third !== undefined) return 'Products'
  return TAGS[first] ?? first.charAt(0).toUpperCase() + first.slice(1)
}

/** Headings in reading order, the most used ones first. */
const FIRST = ['Search', 'Products', 'Catalogs']

export function tagsOf(paths: readonly string[]): string[] {
  const tags = new Set(paths.map(tagOf))
  return [...new Set([...FIRST.filter((tag) => tags.has(tag)), ...tags])]
}
