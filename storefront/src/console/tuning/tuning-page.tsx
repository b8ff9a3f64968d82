import { getSearchSettings, updateSearchSettings } from 'aisle-client'
import type { ComponentChildren } from 'preact'
import { useCallback, useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { useConsole, useGo } from '../console.ts'
import { CatalogPicker, NoCatalog, Page, useCatalog } from '../parts/page.tsx'
import { type Deed, Told, useDeed } from '../parts/use-deed.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import { FacetEditor } from './facets.tsx'
import { Preview, type PreviewProps } from './preview.tsx'
import { RankingEditor } from './ranking.tsx'
import { RuleEditor } from './rules.tsx'
import { changedParts, type Part, type Settings, withSynonymOf } from './settings.ts'
import { SynonymEditor } from './synonyms.tsx'

/** What each part's editor is given. */
export interface EditorProps<T> {
  readonly value: T
  /** Why saving failed, where that concerns this place. */
  problemAt(place: string): string | undefined
  onChange(value: T): void
}

const PARTS: Readonly<Record<Part, string>> = {
  synonyms: 'Synonyms',
  rules: 'Rules',
  ranking: 'Ranking',
  facets: 'Facets',
}

const isPart = (tab: string): tab is Part => Object.hasOwn(PARTS, tab)

/** How the searches of a catalog find and order, with a look at what a change does. */
export function TuningPage() {
  const { connection, route } = useConsole()
  const { tab = 'synonyms', q } = useStore(route)
  const catalog = useCatalog()
  const load = useCallback(
    async (signal: AbortSignal) =>
      catalog === undefined ? undefined : getSearchSettings(connection, { catalog }, { signal }),
    [connection, catalog],
  )
  const loaded = useLoaded(load)
  const [words, setWords] = useState(q ?? '')
  if (catalog === undefined) return <NoCatalog />
  const part = isPart(tab) ? tab : 'synonyms'
  return (
    <Page
      title="Search tuning"
      lead="In effect within a second of being saved, for every search of the catalog."
      aside={<CatalogPicker />}
    >
      <Shown of={loaded}>
        {(saved) =>
          saved && (
            <Tuning
              key={`${catalog} ${JSON.stringify(saved)}`}
              {...{ catalog, saved, part }}
              query={q}
              reload={loaded.reload}
              preview={{ words, onWords: setWords }}
            />
          )
        }
      </Shown>
    </Page>
  )
}

interface TuningProps {
  readonly catalog: string
  readonly saved: Settings
  readonly part: Part
  /** What was searched in vain and wants a synonym. */
  readonly query: string | undefined
  readonly preview: Pick<PreviewProps, 'words' | 'onWords'>
  reload(): Promise<void>
}

function Tuning({ catalog, saved, part, query, preview, reload }: TuningProps) {
  const { connection } = useConsole()
  const go = useGo()
  const [draft, setDraft] = useState(() => (query ? withSynonymOf(saved, query) : saved))
  const deed = useDeed()
  const changed = changedParts(saved, draft)
  const names = Object.keys(changed).map((name) => PARTS[name as Part].toLowerCase())
  const save = () =>
    deed.run(async () => {
      await updateSearchSettings(connection, { catalog, ...changed })
      if (query) go({ page: 'tuning', catalog, tab: part })
      await reload()
      return undefined
    })
  return (
    <div class="tuning">
      <div>
        <nav class="tabs" aria-label="What is tuned">
          {Object.entries(PARTS).map(([name, title]) => (
            <a
              key={name}
              href={formatRoute({ page: 'tuning', catalog, tab: name })}
              aria-current={name === part ? 'page' : undefined}
            >
              {title}
              {Object.hasOwn(changed, name) && <span title="Changed"> •</span>}
            </a>
          ))}
        </nav>
        <div class="editor">
          <Editor {...{ part, draft, deed }} onChange={setDraft} />
        </div>
        <div class="buttons save">
          <button
            type="button"
            class="button is-main"
            disabled={names.length === 0 || deed.busy}
            onClick={save}
          >
            Save {names.join(', ')}
          </button>
          {names.length > 0 && (
            <button type="button" class="button" onClick={() => setDraft(saved)}>
              Take it back
            </button>
          )}
          <Told deed={deed} fields={shownPlaces(part, draft)} />
        </div>
      </div>
      <Preview {...preview} catalog={catalog} settings={changed} />
    </div>
  )
}

/** Where the open editor says what is wrong. */
function shownPlaces(part: Part, { rules, synonyms }: Settings): string[] {
  if (part === 'rules') return rules.map((_, at) => `rules[${at}]`)
  if (part === 'synonyms') return synonyms.groups.map((_, at) => `synonyms.groups[${at}]`)
  return []
}

interface EditorsProps {
  readonly part: Part
  readonly draft: Settings
  readonly deed: Deed
  onChange(draft: Settings): void
}

function Editor({ part, draft, deed, onChange }: EditorsProps): ComponentChildren {
  const set =
    <P extends Part>(name: P) =>
    (value: Settings[P]) =>
      onChange({ ...draft, [name]: value })
  const { synonyms, rules, ranking, facets } = draft
  const problemAt = deed.at
  switch (part) {
    case 'synonyms':
      return <SynonymEditor value={synonyms} problemAt={problemAt} onChange={set('synonyms')} />
    case 'rules':
      return <RuleEditor value={rules} problemAt={problemAt} onChange={set('rules')} />
    case 'ranking':
      return <RankingEditor value={ranking} problemAt={problemAt} onChange={set('ranking')} />
    case 'facets':
      return <FacetEditor value={facets} problemAt={problemAt} onChange={set('facets')} />
  }
}
