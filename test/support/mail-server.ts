import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail that the server received. */
interface TakenMail {
  readonly from: string
  readonly to: readonly string[]
  /** Header values by lower-case name, with folded lines joined. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  readonly text: string
}

export interface MailServer {
  readonly url: string
  readonly mails: TakenMail[]
  /** Refuses all recipients from now on. */
  refuse(): void
  close(): Promise<void>
}

/** A real SMTP server that stores the mails it receives. */
export async function startMailServer(): Promise<MailServer> {
  const mails: TakenMail[] = []
  let refusing = false
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: (_address, _session, done) => done(refusing ? new Error('unknown user') : undefined),
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const to = envelope.rcptTo.map(({ address }) => address)
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        mails.push({ from, to, ...parse(Buffer.concat(parts).toString()) })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse() {
      refusing = true
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

function parse(raw: string) {
  const end = raw.indexOf('\r\n\r\n')
  const headers = new Map<string, string[]>()
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [name, value] = line.split(/:\s*(.*)/s) as [string, string]
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value])
  }
  const body = raw.slice(end + 4)
  return { headers, text: decoded(body, headers.get('content-transfer-encoding')?.[0] ?? '') }
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n')
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n')
}
