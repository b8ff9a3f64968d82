import { type Answer, previewSearchSettings } from 'aisle-client'
import { useEffect, useState } from 'preact/hooks'
import { plural } from '../../ui/offers.ts'
import { useConsole } from '../console.ts'
import { problemOf, waitAfter } from '../problem.ts'
import type { Settings } from './settings.ts'

type Compared = Answer<'previewSearchSettings'>

export interface PreviewProps {
  readonly catalog: string
  /** Settings that are not saved yet. */
  readonly settings: Partial<Settings>
  /** The query. */
  readonly words: string
  onWords(words: string): void
}

/** Searches wait for this pause in typing. */
const REST_MS = 350
const SHOWN = 10

/** Compares the results of a search with the saved and with the edited settings. */
export function Preview({ catalog, settings, words, onWords }: PreviewProps) {
  const { compared, problem, busy } = useCompared(catalog, words, settings)
  return (
    <section class="preview" aria-labelledby="preview">
      <h2 id="preview">Preview</h2>
      <label class="picker">
        Test query
        <input
          type="search"
          value={words}
          maxLength={512}
          onInput={({ currentTarget }) => onWords(currentTarget.value)}
        />
      </label>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {compared && (
        <div class={busy ? 'compared is-waiting' : 'compared'}>
          <Side title="Current" answer={compared.saved} compared={compared} />
          <Side title="With changes" answer={compared.preview} compared={compared} isNew />
        </div>
      )}
      <p class="none">Each preview counts as one search.</p>
    </section>
  )
}

function useCompared(catalog: string, words: string, settings: Partial<Settings>) {
  const { connection } = useConsole()
  const [state, setState] = useState<{ compared?: Compared; problem: string; busy: boolean }>({
    problem: '',
    busy: true,
  })
  const asked = JSON.stringify({
    search: {
      keywords: words,
      pageSize: SHOWN,
      fields: ['name'],
      facets: { lists: true },
      analytics: false,
    },
    settings,
  })
  useEffect(() => {
    const abort = new AbortController()
    setState((before) => ({ ...before, busy: true }))
    const ask = async (tries: number) => {
      try {
        const given = { catalog, ...JSON.parse(asked) }
        // The waits are here rather than in the client, so that they can be shown.
        const options = { signal: abort.signal, retries: 0 }
        const compared = await previewSearchSettings(connection, given, options)
        setState({ compared, problem: '', busy: false })
      } catch (error) {
        if (abort.signal.aborted) return
        const { place, text } = problemOf(error)
        const wait = waitAfter(error, tries)
        const problem = `${place ? `${place}: ` : ''}${text}${wait === undefined ? '' : ` ${againIn(wait)}`}`
        setState((before) => ({ ...before, problem, busy: wait !== undefined }))
        if (wait !== undefined) timer = setTimeout(ask, wait * 1000, tries + 1)
      }
    }
    let timer = setTimeout(ask, REST_MS, 0)
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [connection, catalog, asked])
  return state
}

const againIn = (seconds: number): string =>
  seconds < 100
    ? `Trying again in ${plural(Math.ceil(seconds), 'second')}.`
    : `Trying again in ${plural(Math.ceil(seconds / 60), 'minute')}.`

interface SideProps {
  readonly title: string
  readonly answer: Compared['saved']
  readonly compared: Compared
  readonly isNew?: boolean
}

function Side({ title, answer, compared, isNew = false }: SideProps) {
  const moves = new Map(compared.moved.map((move) => [move.product, move]))
  const facets = answer.metadata?.lists?.facets.map(({ name }) => name) ?? []
  return (
    <section aria-label={title}>
      <h3>
        {title} <small>{plural(answer.total, 'product')}</small>
      </h3>
      {answer.redirect && <p class="warning">Redirects to {answer.redirect}</p>}
      {answer.products.length === 0 && <p class="none">No results.</p>}
      <ol>
        {answer.products.map(({ id, name }) => {
          const move = moves.get(id)
          return (
            <li key={id} class={move ? 'is-moved' : undefined}>
              <span>{name ?? id}</span>
              {move && <small>{isNew ? arrived(move) : left(move)}</small>}
            </li>
          )
        })}
      </ol>
      {facets.length > 0 && <p class="none">Facets: {facets.join(', ')}</p>}
    </section>
  )
}

type Move = Compared['moved'][number]

const arrived = ({ from, to }: Move): string =>
  from === null ? 'New' : from > to! ? `▲ from ${from}` : `▼ from ${from}`

const left = ({ to }: Move): string => (to === null ? 'Removed' : '')
