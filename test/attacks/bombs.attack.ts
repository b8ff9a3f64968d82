import { gzipSync } from 'node:zlib'
import { parquetFile } from '../support/parquet-file.ts'
import { xlsxFile } from '../support/xlsx-file.ts'
import { zipFile } from '../support/zip-file.ts'
import type { Attack, Tenant } from './attack.ts'
import { answersUnder, clients } from './clients.ts'

const MIB = 1024 * 1024

const lines = (line: string, bytes: number): Buffer => Buffer.alloc(bytes, line)

/** Cells that all refer to one long shared text by a few bytes. */
const shared = (text: string, rows: number): Buffer =>
  xlsxFile({
    sheets: [
      {
        name: 'S',
        rows: `<row>${'<c t="s"><v>0</v></c>'.repeat(200)}</row>`.repeat(rows),
      },
    ],
    strings: `<si><t>${text}</t></si>`,
  })

/** Small files that unpack to much data: above the limit, or just below it. */
const bombs = (): Record<string, Buffer> => ({
  'zeros.csv.gz': gzipSync(Buffer.alloc(64 * MIB)),
  'lines.csv.gz': gzipSync(lines('id,name,a,b,c\n1,2,3,4,5\n', 32 * MIB)),
  'strings.xlsx': shared('x'.repeat(30_000), 2_000),
  'many.xlsx': xlsxFile({
    sheets: [{ name: 'S', rows: '<row><c r="XFD1"><v>1</v></c></row>'.repeat(50_000) }],
    strings: '<si><t>a</t></si>'.repeat(200_000),
  }),
  'deep.xlsx': xlsxFile({ sheets: [{ name: 'S', rows: '<row><c><is>'.repeat(100_000) }] }),
  'entries.zip': zipFile(
    Array.from({ length: 60_000 }, (_, at) => ({ name: `${at}.csv`, content: Buffer.from('a') })),
  ),
  'zeros.zip': zipFile([{ name: 'a.csv', content: Buffer.alloc(32 * MIB, 'a,b\n') }]),
  'values.parquet': parquetFile({
    id: Array.from({ length: 20_000 }, (_, at) => `${at}`),
    name: Array.from({ length: 20_000 }, () => 'x'.repeat(20_000)),
  }),
  'deep.jsonl.gz': gzipSync(lines('['.repeat(500_000), 16 * MIB)),
  'deep.xml.gz': gzipSync(lines('<BMECAT>', 16 * MIB)),
})

async function upload(address: string, tenant: Tenant, name: string, bytes: Buffer) {
  const answer = await fetch(`${address}/api/files?name=${name}`, {
    method: 'POST',
    headers: { ...tenant.headers, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  return ((await answer.json()) as { url: string }).url
}

export const attack: Attack = {
  name: 'bombs',
  what: 'small files that are huge when they are unpacked, sampled, tried, imported and matched as lists, by 12 clients',
  async prepare(target) {
    const tenant = await target.tenant()
    const all = bombs()
    const urls: string[] = []
    for (const [name, bytes] of Object.entries(all)) {
      urls.push(await upload(target.address, tenant, name, bytes))
    }
    const lists = Object.values(all)
      .filter(({ length }) => length < MIB)
      .map((bytes) => bytes.toString('base64'))
    const extensions = '/api/extensions'
    return (signal) =>
      answersUnder(
        clients(12, (turn) => {
          const body = { fileUrl: urls[(turn >> 2) % urls.length]! }
          if (turn % 4 === 0)
            return tenant.call('POST', `${extensions}/available/file/getSample`, body)
          const named = { ...body, targetCatalog: 'shop' }
          if (turn % 4 === 1)
            return tenant.call('POST', `${extensions}/available/file/validate`, named)
          if (turn % 4 === 2) return tenant.call('POST', `${extensions}/import/import`, named)
          const file = lists[(turn >> 2) % lists.length]!
          return tenant.call('POST', `${extensions}/recommendation/bom/files`, {
            file,
            fileName: 'list',
          })
        }),
        signal,
      )
  },
}
