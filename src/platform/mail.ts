import { createTransport } from 'nodemailer'
import { limits } from '../limits.ts'
import { createAdmission } from './admission.ts'
import { systemClock } from './clock.ts'
import { ownerPath } from './load-owner.ts'
import type { Log } from './log.ts'
import { oneLine } from './one-line.ts'
import { createRateLimiter } from './rate-limiter.ts'

/** A plain-text mail to one person. */
export interface Mail {
  /** The owner it is sent for. Mails of one owner wait for each other. */
  readonly owner: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Notifies people by mail. */
export interface Notifier {
  /** Throws when the server did not accept the mail. */
  send(mail: Mail): Promise<void>
}

/** Logs what would have been sent, for services without a mail server. */
export const logNotifier = (log: Log): Notifier => ({
  async send({ to, subject }) {
    log.info({ to, subject }, 'an email was not sent because SMTP_URL is not set')
  },
})

/** One address of one person, which a mail header cannot read as several. */
export function isAddress(text: string): boolean {
  if (text.length > 254 || /[\s,;:<>()[\]\\"]/.test(text)) return false
  const [name, domain, ...more] = text.split('@')
  return name !== '' && more.length === 0 && domain?.slice(1, -1).includes('.') === true
}

/** The default sender: `aisle@shop.example` for a service at that address. */
export function senderAt(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return `aisle@${/[a-z]/i.test(hostname) && !hostname.includes(':') ? hostname : 'localhost'}`
}

const AT_ONCE = 4
const WAITING = 200
const OWNER_WAITING = 50
const PATIENCE_MS = 10_000
/** Emails per second to one address on behalf of one owner: one every ten minutes. */
const BY_ADDRESS = 1 / 600
const HOUR_S = 3_600

/** Sends by the SMTP server at `url` (smtp or smtps, with credentials where needed). */
export function smtpNotifier({ url, from }: { url: string; from: string }): Notifier {
  const transport = createTransport({
    url,
    connectionTimeout: PATIENCE_MS / 2,
    greetingTimeout: PATIENCE_MS / 2,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const line = createAdmission({
    capacity: AT_ONCE,
    share: AT_ONCE - 1,
    waiting: WAITING,
    ownerWaiting: OWNER_WAITING,
    what: 'mails',
  })
  const addresses = createRateLimiter(systemClock, BY_ADDRESS)
  const families = createRateLimiter(systemClock, limits.mailsPerHour / HOUR_S, { seconds: HOUR_S })
  return {
    async send({ owner, to, subject, text }) {
      if (!isAddress(to)) throw new Error('not an email address')
      const [family] = ownerPath(owner)
      const address = `${family} ${to.toLowerCase()}`
      if (addresses.take(address) > 0) {
        throw new Error('an email was sent to this address less than ten minutes ago')
      }
      if (families.take(family) > 0) {
        addresses.forget(address)
        throw new Error(
          `the organization exceeded its limit of ${limits.mailsPerHour} emails per hour`,
        )
      }
      const mail = { from, to: { name: '', address: to }, subject: oneLine(subject), text }
      const signal = AbortSignal.timeout(PATIENCE_MS)
      await line
        .run(owner, () => transport.sendMail(mail), { signal })
        .catch((error: unknown) => {
          // It may be tried again.
          addresses.forget(address)
          throw error
        })
    },
  }
}
