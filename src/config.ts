import { join, resolve } from 'node:path'
import { z } from 'zod'
import { StartupFailure } from './errors.ts'
import { limits } from './limits.ts'

const Switch = z
  .enum(['on', 'off', 'true', 'false', '1', '0'], 'must be on or off')
  .transform((text) => ['on', 'true', '1'].includes(text))
const Whole = (min: number, max: number) => {
  const error = `must be a whole number from ${min} to ${max}`
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error)
}
const Address = (example: string) =>
  z.url({ protocol: /^https?$/, error: `must be a URL such as ${example}` })

const MIB = 1024 * 1024

const MOST_NODES = 20
/** One address, or the addresses of several nodes, separated by commas. */
const Addresses = (example: string) => {
  const error = `must be a URL such as ${example}, or up to ${MOST_NODES} separated by commas`
  const Each = z.array(z.url({ protocol: /^https?$/ })).max(MOST_NODES)
  const each = (text: string) => text.split(',').map((address) => address.trim())
  return z.string().refine((text) => Each.safeParse(each(text)).success, error)
}

const SHARE = 'must be a number from 0 to 1'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

const DEFAULT_MONTHS = 13
const MOST_MONTHS = 1_200
const RETENTION = 'must be the months for all logs, for single logs, or both, as in 13,history=3'

/** Months of all logs, or of named logs. The last entry for a log wins. */
const Retention = z.string().transform((text, ctx) => {
  const kinds: Record<string, number> = {}
  let months = DEFAULT_MONTHS
  for (const part of text.split(',')) {
    const [, kind, digits] = /^\s*(?:([a-z]+)\s*=\s*)?(\d{1,4})\s*$/.exec(part) ?? []
    const count = Number(digits)
    if (!(count >= 1 && count <= MOST_MONTHS)) {
      ctx.addIssue({ code: 'custom', message: RETENTION })
      return z.NEVER
    }
    if (kind === undefined) months = count
    else kinds[kind] = count
  }
  return { months, kinds }
})

const Environment = z.object({
  PORT: Whole(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: Address('https://shop.example').optional(),
  ELASTICSEARCH_URL: Addresses('https://elastic.example:9200').optional(),
  ELASTICSEARCH_API_KEY: z.string().optional(),
  ELASTICSEARCH_USERNAME: z.string().optional(),
  ELASTICSEARCH_PASSWORD: z.string().optional(),
  ELASTICSEARCH_CA: z.string().optional(),
  ELASTICSEARCH_IMAGE: z.string().default('elasticsearch:9.5.3'),
  INDEX_PREFIX: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{0,40}$/,
      'must be up to 41 lower-case letters, digits and hyphens, and begin with a letter',
    )
    .default('aisle'),
  INDEX_SHARDS: Whole(1, 64).default(1),
  INDEX_REPLICAS: Whole(0, 5).default(0),
  DATA_DIR: z.string().default('data'),
  FILES_URL: z.string().optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must be a URL such as smtps://mail.example' })
    .optional(),
  MAIL_FROM: z.email('must be an email address such as catalog@shop.example').optional(),
  OUTBOUND_ALLOW: z.string().optional(),
  TRUSTED_PROXIES: z.string().optional(),
  RATE_BY_ADDRESS: Whole(0, 1_000_000).default(2_000),
  RATE_BY_KEY: Whole(0, 1_000_000).default(1_000),
  REQUEST_PLACES: Whole(8, 10_000).default(limits.requestPlaces),
  SEARCH_CACHE_MIB: Whole(0, 4_096).default(limits.keptAnswerBytes / MIB),
  ENCRYPTION_KEY: z.string().optional(),
  BOOTSTRAP_API_KEY: z
    .string()
    .min(32, 'must have 32 to 256 characters')
    .max(256, 'must have 32 to 256 characters')
    .optional(),
  OIDC_ISSUER: z.string().optional(),
  OIDC_AUDIENCE: z.string().optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_SCOPE: z.string().default('openid profile email'),
  OIDC_ROLES_CLAIM: z.string().default('roles'),
  OIDC_ROLES: z.string().optional(),
  OIDC_USERS: z.string().optional(),
  DEMO: Switch.optional(),
  MCP: Switch.default(false),
  RETENTION_MONTHS: Retention.default({ months: DEFAULT_MONTHS, kinds: {} }),
  SLOW_SEARCH_MS: Whole(0, 60_000).default(1_000),
  OTEL_EXPORTER_OTLP_ENDPOINT: Address('http://collector:4318').optional(),
  /** Read by the exporter itself. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_SERVICE_NAME: z.string().default('aisle'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number(SHARE).min(0, SHARE).max(1, SHARE).default(1),
  LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('warn'),
})

/** Settings of the service, read once. */
export type Config = Readonly<z.output<typeof Environment>>

/** Parses the environment; empty values count as absent. Throws StartupFailure. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(values)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new StartupFailure(`${issue.path.join('.')} ${issue.message}.`)
  }
  return Object.freeze({ ...parsed.data, DATA_DIR: resolve(parsed.data.DATA_DIR) })
}

/** How Elasticsearch is reached or started. */
export const elasticsearchOf = (config: Config) => ({
  url: config.ELASTICSEARCH_URL,
  apiKey: config.ELASTICSEARCH_API_KEY,
  username: config.ELASTICSEARCH_USERNAME,
  password: config.ELASTICSEARCH_PASSWORD,
  caFile: config.ELASTICSEARCH_CA,
  image: config.ELASTICSEARCH_IMAGE,
  dataDir: config.DATA_DIR,
})

/** Where files are kept. */
export const fileStoreOf = (config: Config) => ({
  url: config.FILES_URL,
  accessKeyId: config.AWS_ACCESS_KEY_ID,
  secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
  folder: join(config.DATA_DIR, 'files'),
})

/** Settings for signing in with tokens of issuers. */
export const signInOf = (config: Config) => ({
  issuer: config.OIDC_ISSUER,
  audience: config.OIDC_AUDIENCE,
  clientId: config.OIDC_CLIENT_ID,
  scope: config.OIDC_SCOPE,
  rolesClaim: config.OIDC_ROLES_CLAIM,
  roles: config.OIDC_ROLES,
  users: config.OIDC_USERS,
})

/** Maximum characters of cached answers to searches. */
export const answerBytesOf = ({ SEARCH_CACHE_MIB }: Config): number => SEARCH_CACHE_MIB * MIB

/** The prefix, shards and replicas of the indices. */
export const indicesOf = (config: Config) => ({
  prefix: config.INDEX_PREFIX,
  shards: config.INDEX_SHARDS,
  replicas: config.INDEX_REPLICAS,
})
