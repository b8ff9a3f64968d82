import type { Attributes } from './xml.ts'

/** The declarations of an element, and those around it. */
interface Scope {
  readonly declared: Attributes
  readonly around: Scope | undefined
}

/** Tracks which namespaces are declared where the current element is. */
export function createNamespaces() {
  const scopes: (Scope | undefined)[] = []
  return {
    open(attributes: Attributes): void {
      const around = scopes.at(-1)
      const declares = Object.keys(attributes).some((name) => name.startsWith('xmlns'))
      scopes.push(declares ? { declared: attributes, around } : around)
    },
    close(): void {
      scopes.pop()
    },
    /** The namespace of a prefix, empty for none. A prefix that is not declared stands for itself. */
    of(prefix: string): string {
      const name = prefix === '' ? 'xmlns' : `xmlns:${prefix}`
      for (let scope = scopes.at(-1); scope; scope = scope.around) {
        const found = scope.declared[name]
        if (found !== undefined) return found
      }
      return prefix
    },
  }
}
