import type { FieldDefinition } from './types.ts'

/** The first sentence of a field's description as its label, and the rest as its hint. */
export function labelOf({
  field,
  description,
  optional,
}: Pick<FieldDefinition, 'field' | 'description' | 'optional'>): readonly [
  label: string,
  hint: string,
] {
  const text = description ?? field
  const end = text.indexOf('. ')
  const [label, hint] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end + 2)]
  return [label, hint || (optional ? 'Optional.' : '')]
}
