import { AisleError, writePrices } from 'aisle-client'
import { useState } from 'preact/hooks'
import { count, plural } from '../../ui/offers.ts'
import { useConsole } from '../console.ts'
import { Field } from '../parts/field.tsx'
import { Table } from '../parts/table.tsx'
import { ActionStatus, useAction } from '../parts/use-action.tsx'
import { COLUMNS, delimiterOf, pricesIn, type ReadPrices, type Refused } from './price-lines.ts'

/** The most prices that Write Prices accepts per request. */
const AT_ONCE = 5_000
const SHOWN = 100

interface Uploaded {
  readonly updated: number
  readonly unchanged: number
  readonly refused: readonly Refused[]
}

/** Parses a table; the parser is loaded on first use. Throws AisleError. */
async function cellsIn(text: string): Promise<string[][]> {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const options = { bom: true, relaxColumnCount: true, skipEmptyLines: true }
  try {
    return parse(text, { ...options, delimiter: delimiterOf(text) })
  } catch (error) {
    throw new AisleError(400, (error as Error).message)
  }
}

interface UploadProps {
  readonly catalog: string
  readonly priceList: string
  onWritten(): Promise<void>
}

/** Reads a price file, shows a preview, and writes the prices after confirmation. */
export function UploadPrices({ catalog, priceList, onWritten }: UploadProps) {
  const { connection } = useConsole()
  const action = useAction()
  const [read, setRead] = useState<ReadPrices>()
  const [done, setDone] = useState<Uploaded>()
  const look = (file: File) =>
    action.run(async () => {
      setDone(undefined)
      setRead(undefined)
      const text = await file.text()
      setRead(pricesIn(await cellsIn(text)))
      return undefined
    })
  const write = ({ lines, refused: unread }: ReadPrices) =>
    action.run(async () => {
      let so: Uploaded = { updated: 0, unchanged: 0, refused: unread }
      for (let from = 0; from < lines.length; from += AT_ONCE) {
        const part = lines.slice(from, from + AT_ONCE)
        const body = { catalog, priceList, lines: part.map(({ line }) => line) }
        const { updated, unchanged, results } = await writePrices(connection, body)
        const refused = results.flatMap(({ error }, at) =>
          error === null ? [] : [{ line: part[at]!.at, why: error }],
        )
        so = {
          updated: so.updated + updated,
          unchanged: so.unchanged + unchanged,
          refused: [...so.refused, ...refused],
        }
        setDone(so)
      }
      setRead(undefined)
      setDone(so)
      await onWritten()
      return undefined
    })
  const refused = done?.refused ?? read?.refused ?? []
  return (
    <div class="form">
      <Field label="Price file" hint={`CSV. Supported columns: ${COLUMNS.join(', ')}.`}>
        {(input) => (
          <input
            {...input}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            disabled={action.busy}
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0]
              currentTarget.value = ''
              if (file) void look(file)
            }}
          />
        )}
      </Field>
      <ActionStatus action={action} />
      {read && (
        <p class="buttons">
          <button
            type="button"
            class="button is-main"
            disabled={action.busy || read.lines.length === 0}
            onClick={() => write(read)}
          >
            Upload {plural(read.lines.length, 'price')}
          </button>
        </p>
      )}
      {done && (
        <p role="status">
          {count(done.updated)} updated, {count(done.unchanged)} unchanged,{' '}
          {count(done.refused.length)} rejected.
        </p>
      )}
      {refused.length > 0 && (
        <Table label="Rejected rows" heads={['Row', 'Reason']}>
          {refused.slice(0, SHOWN).map(({ line, why }) => (
            <tr key={line}>
              <th scope="row">Row {count(line)}</th>
              <td>{why}</td>
            </tr>
          ))}
        </Table>
      )}
      {refused.length > SHOWN && (
        <p class="none">{count(refused.length - SHOWN)} more rejected rows not shown.</p>
      )}
    </div>
  )
}
