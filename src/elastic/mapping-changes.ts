import type { estypes } from '@elastic/elasticsearch'

type Property = Record<string, unknown>

/** The dotted paths that a definition adds to a stored mapping, and those that it changes. */
export function mappingChanges(
  stored: estypes.MappingTypeMapping,
  wanted: estypes.MappingTypeMapping,
) {
  const before = flatten(stored.properties ?? {})
  const after = flatten(wanted.properties ?? {})
  const added: string[] = []
  const changed: string[] = []
  for (const [path, field] of after) {
    const known = before.get(path)
    if (known === undefined) added.push(path)
    else if (known !== field) changed.push(path)
  }
  return { added, changed }
}

function flatten(properties: Record<string, unknown>, prefix = ''): Map<string, string> {
  const paths = new Map<string, string>()
  for (const [name, value] of Object.entries(properties)) {
    const { properties: inner, fields, ...own } = value as Property
    const path = `${prefix}${name}`
    paths.set(path, canonical({ type: 'object', ...own }))
    for (const children of [inner, fields]) {
      if (children)
        for (const entry of flatten(children as Property, `${path}.`)) paths.set(...entry)
    }
  }
  return paths
}

// Elasticsearch may return numbers and booleans as text: compare them as text.
function canonical(value: Property): string {
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    typeof item === 'object' && item !== null ? canonical(item as Property) : String(item),
  ])
  return JSON.stringify(entries.sort(([a], [b]) => (a! < b! ? -1 : 1)))
}
