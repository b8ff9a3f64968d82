import { AisleError, getSearchSettings, updateSearchSettings } from 'aisle-client'
import type { ComponentChildren } from 'preact'
import { useCallback, useState } from 'preact/hooks'
import { useStore } from '../../shop/store.ts'
import { useConsole, useGo } from '../console.ts'
import { StartExperiment } from '../experiments/start-experiment.tsx'
import { CatalogPicker, NoCatalog, Page, useCatalog } from '../parts/page.tsx'
import { type Action, ActionStatus, useAction } from '../parts/use-action.tsx'
import { Shown, useLoaded } from '../parts/use-loaded.tsx'
import { formatRoute } from '../route.ts'
import { EditConflict } from './edit-conflict.tsx'
import { FacetEditor } from './facets.tsx'
import { Preview, type PreviewProps } from './preview.tsx'
import { RankingEditor } from './ranking.tsx'
import { RuleEditor } from './rules.tsx'
import {
  changedParts,
  changedTwice,
  onTopOf,
  PART_TITLES,
  type Part,
  type Settings,
  withSynonymOf,
} from './settings.ts'
import { SynonymEditor } from './synonyms.tsx'

/** The props of each part's editor. */
export interface EditorProps<T> {
  readonly value: T
  /** The validation problem at this path, if any. */
  problemAt(place: string): string | undefined
  onChange(value: T): void
}

const isPart = (tab: string): tab is Part => Object.hasOwn(PART_TITLES, tab)

/** The search settings of a catalog, with a preview of changes. */
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
      lead="Changes apply to every search of the catalog within a second of saving."
      aside={<CatalogPicker />}
    >
      <Shown of={loaded}>
        {(saved) =>
          saved && (
            <Tuning
              key={`${catalog} ${saved.version}`}
              {...{ catalog, saved, part }}
              query={q}
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
  /** A query without results, to add a synonym for. */
  readonly query: string | undefined
  readonly preview: Pick<PreviewProps, 'words' | 'onWords'>
}

function Tuning({ catalog, saved, part, query, preview }: TuningProps) {
  const { connection } = useConsole()
  const go = useGo()
  const [base, setBase] = useState(saved)
  const [draft, setDraft] = useState(() => (query ? withSynonymOf(saved, query) : saved))
  const [theirs, setTheirs] = useState<Settings>()
  const [compares, setCompares] = useState(false)
  const action = useAction()
  const changed = changedParts(base, draft)
  const names = Object.keys(changed).map((name) => PART_TITLES[name as Part].toLowerCase())
  const write = async (on: Settings): Promise<void> => {
    try {
      await updateSearchSettings(connection, { catalog, ...changed }, { ifMatch: on.version })
    } catch (error) {
      if (!(error instanceof AisleError) || error.code !== 'preconditionFailed') throw error
      const next = await getSearchSettings(connection, { catalog })
      // Their changes to other parts are kept, since only the parts sent are replaced.
      if (changedTwice(base, draft, next).length === 0) return write(next)
      setTheirs(next)
      return
    }
    const next = await getSearchSettings(connection, { catalog })
    setBase(next)
    // What is edited while the settings are being saved stays, as unsaved changes.
    const sent = onTopOf(base, changed, [])
    setDraft((now) => onTopOf(next, changedParts(sent, now), []))
    if (query) go({ page: 'tuning', catalog, tab: part })
  }
  const save = (on: Settings) =>
    action.run(async () => {
      setTheirs(undefined)
      await write(on)
      return undefined
    })
  return (
    <div class="tuning">
      <div>
        <nav class="tabs" aria-label="Search settings">
          {Object.entries(PART_TITLES).map(([name, title]) => (
            <a
              key={name}
              href={formatRoute({ page: 'tuning', catalog, tab: name })}
              aria-current={name === part ? 'page' : undefined}
            >
              {title}
              {Object.hasOwn(changed, name) && <span title="Unsaved changes"> •</span>}
            </a>
          ))}
        </nav>
        <div class="editor">
          <Editor {...{ part, draft, action }} onChange={setDraft} />
        </div>
        {theirs && (
          <EditConflict
            parts={changedTwice(base, draft, theirs)}
            onTheirs={() => {
              setDraft(onTopOf(theirs, changed, changedTwice(base, draft, theirs)))
              setBase(theirs)
              setTheirs(undefined)
            }}
            onMine={() => save(theirs)}
          />
        )}
        <div class="buttons save">
          <button
            type="button"
            class="button is-main"
            disabled={names.length === 0 || action.busy || theirs !== undefined}
            onClick={() => save(base)}
          >
            Save {names.join(', ')}
          </button>
          {names.length > 0 && !theirs && (
            <>
              <button type="button" class="button" onClick={() => setDraft(base)}>
                Discard changes
              </button>
              <button type="button" class="button" onClick={() => setCompares(true)}>
                Start experiment
              </button>
            </>
          )}
          <ActionStatus action={action} fields={shownPlaces(part, draft)} />
        </div>
      </div>
      <Preview {...preview} catalog={catalog} settings={changed} />
      {compares && (
        <StartExperiment
          catalog={catalog}
          variant={changed}
          settings={base}
          onClose={() => setCompares(false)}
        />
      )}
    </div>
  )
}

/** Paths whose problems the open editor shows itself. */
function shownPlaces(part: Part, { rules, synonyms }: Settings): string[] {
  if (part === 'rules') return rules.map((_, at) => `rules[${at}]`)
  if (part === 'synonyms') return synonyms.groups.map((_, at) => `synonyms.groups[${at}]`)
  return []
}

interface EditorsProps {
  readonly part: Part
  readonly draft: Settings
  readonly action: Action
  onChange(draft: Settings): void
}

function Editor({ part, draft, action, onChange }: EditorsProps): ComponentChildren {
  const set =
    <P extends Part>(name: P) =>
    (value: Settings[P]) =>
      onChange({ ...draft, [name]: value })
  const { synonyms, rules, ranking, facets } = draft
  const problemAt = action.at
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
