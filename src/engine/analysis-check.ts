import type { Client, estypes } from '@elastic/elasticsearch'
import { statusOf, translate } from '../elastic/client.ts'
import { StartupFailure } from '../errors.ts'

const KINDS = ['char_filter', 'tokenizer', 'filter'] as const
type ComponentKind = (typeof KINDS)[number]

/** A part of an analyzer, as the analyze request takes it: a name, or a definition with settings. */
interface Component {
  readonly kind: ComponentKind
  readonly name: string
  readonly definition: unknown
}

/** Every char filter, tokenizer and token filter that index settings use, each once. */
function componentsOf(analysis: estypes.IndicesIndexSettingsAnalysis): Component[] {
  const chains = [
    ...Object.values(analysis.analyzer ?? {}),
    ...Object.values(analysis.normalizer ?? {}),
  ]
  const found = new Map<string, Component>()
  for (const chain of chains as Partial<Record<ComponentKind, string | string[]>>[]) {
    for (const kind of KINDS) {
      for (const used of [chain[kind] ?? []].flat()) {
        const own = (analysis[kind] as Record<string, { type: string }> | undefined)?.[used]
        found.set(`${kind} ${used}`, { kind, name: own?.type ?? used, definition: own ?? used })
      }
    }
  }
  return [...found.values()]
}

/** Refuses a cluster that lacks an analysis component that the index settings use, by name. */
export async function checkAnalysis(
  client: Client,
  analyses: readonly estypes.IndicesIndexSettingsAnalysis[],
): Promise<void> {
  const missing: string[] = []
  // One after the other, since Elasticsearch has one thread and a short queue for this.
  for (const component of analyses.flatMap(componentsOf)) {
    if (!(await works(client, component))) missing.push(label(component))
  }
  const names = [...new Set(missing)]
  if (names.length === 0) return
  throw new StartupFailure(
    `Elasticsearch lacks analysis components that the indices need (${names.join(', ')}): use the official distribution of Elasticsearch 9, or install the plugin that provides them.`,
  )
}

async function works(client: Client, { kind, definition }: Component): Promise<boolean> {
  const body = {
    text: 'a',
    tokenizer: 'standard',
    [kind]: kind === 'tokenizer' ? definition : [definition],
  }
  try {
    await client.indices.analyze(body as estypes.IndicesAnalyzeRequest)
    return true
  } catch (error) {
    // This needs the right to manage the cluster. Without it, creating an index will show the
    // problem.
    if (statusOf(error) === 403) return true
    if (statusOf(error) === 400) return false
    throw translate(error)
  }
}

function label({ kind, name }: Component): string {
  return `${kind === 'filter' ? 'token filter' : kind.replace('_', ' ')} ${name}`
}
