import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface DnsServer {
  /** A resolver that asks this server only. */
  readonly resolver: Resolver
  /** Sets the addresses of a name; of several lists each answers one look-up in turn. */
  set(name: string, ...answers: (readonly string[])[]): void
  /** Stops answering queries for this name. */
  mute(name: string): void
  /** Number of queries for a name, both types together. */
  questions(name: string): number
  close(): void
}

const A = 1
const AAAA = 28

/** Starts a local name server, whose answers have a TTL of 0 seconds. */
export async function startDnsServer(): Promise<DnsServer> {
  const zone = new Map<string, (readonly string[])[]>()
  const asked = new Map<string, number[]>()
  const muted = new Set<string>()
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = questionIn(question)
    const types = asked.get(name) ?? []
    // Both types of one look-up get the same list.
    const turn = types.filter((one) => one === type).length
    asked.set(name, [...types, type])
    if (muted.has(name)) return
    const answers = zone.get(name) ?? []
    const addresses = answers[Math.min(turn, answers.length - 1)] ?? []
    const records = addresses
      .filter((one) => isIPv6(one) === (type === AAAA))
      .map((one) => recordOf(type, one))
    const header = Buffer.from(question.subarray(0, 12))
    header.writeUInt16BE(0x8180 + (zone.has(name) ? 0 : 3), 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([header, question.subarray(12, end), ...records]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const resolver = new Resolver({ timeout: 200, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    resolver,
    set: (name, ...answers) => void zone.set(name, answers),
    mute: (name) => void muted.add(name),
    questions: (name) => asked.get(name)?.length ?? 0,
    close: () => socket.close(),
  }
}

function questionIn(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while (message[at]! > 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message[at]!))
    at += message[at]! + 1
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

function recordOf(type: number, address: string): Buffer {
  const data = Buffer.from(ipaddr.parse(address).toByteArray())
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(type === AAAA ? AAAA : A, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(data.length, 10)
  return Buffer.concat([record, data])
}
