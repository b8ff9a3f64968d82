import { loadLimits } from './load-limits.ts'
import { productLimits } from './product-limits.ts'
import { searchLimits } from './search-limits.ts'
import { signInLimits } from './sign-in-limits.ts'
import { tuningLimits } from './tuning-limits.ts'

const MIB = 1024 * 1024

/** Every limit of the service, named once; docs/interface.md lists them for callers. */
export const limits = {
  ...loadLimits,
  ...productLimits,
  ...searchLimits,
  ...signInLimits,
  ...tuningLimits,
  /** Bytes of a JSON request body. */
  bodyBytes: 2 * MIB,
  /** Bytes of a JSON request body of an operation that needs no key. */
  openBodyBytes: 64 * 1024,
  /** Values of such a body, those inside others counted as well. */
  openBodyValues: 1_000,
  /** Pieces in which a request body, and an answer of another system, may come however small. */
  bodyPieces: 256,
  /** Bytes that further ones have on average, at least. */
  bodyPieceBytes: 64,
  /** Nesting of a JSON request body. */
  jsonDepth: 32,
  /** Values of a JSON request body, those inside others counted as well. */
  jsonValues: 200_000,
  idsPerRequest: 500,
  /** Points of a product that Get Insights answers, the newest. */
  insightPoints: 1_000,
  /** Bytes of an uploaded file. */
  fileBytes: 2 * 1024 * MIB,
  /** Bytes of all files that an organization keeps. */
  fileQuotaBytes: 10 * 1024 * MIB,
  /** Days until an upload or a rejects file expires. */
  fileDays: 7,
  /** Uploads under way per organization and instance; one more waits as requests do. */
  uploadsInFlight: 4,
  /** Milliseconds that an upload may be silent. */
  uploadIdleMs: 30_000,
  /** Tasks of an organization that wait to begin, those that schedules queue aside. */
  queuedTasks: 1_000,
  /** Tasks that Get Tasks lists, the newest. */
  listedTasks: 200,
  /** Milliseconds that the download of an import file may take. */
  downloadMs: 2 * 60 * 60 * 1000,
  /** Milliseconds after which a download must have its least speed. */
  downloadGraceMs: 60_000,
  /** That speed, in bytes a second. */
  downloadBytesPerSecond: 64 * 1024,
  /** Bytes of an import file when unpacked. */
  importBytes: 16 * 1024 * MIB,
  /** Unpacked bytes of an import file for each byte of it. */
  importRatio: 200,
  /** Entries of a zip archive. */
  zipEntries: 1_000,
  /** Bytes of their names, with what is said beside them. */
  zipNameBytes: MIB,
  /** Bytes of one row of an import file. */
  importRowBytes: MIB,
  /** Columns of an import file. */
  importColumns: 2_000,
  /** Nesting of an XML file. */
  xmlDepth: 64,
  /** Bytes of what a Parquet file says of its columns and row groups, and values in it. */
  parquetFooterBytes: 4 * MIB,
  parquetFooterValues: 1_000_000,
  /** Unpacked bytes of the pages that a Parquet file is read by at once, those of all columns. */
  parquetHeldBytes: 128 * MIB,
  /** Groups of a BMEcat catalog. */
  catalogGroups: 100_000,
  /** Rows of a file that Get Import Sample shows. */
  sampleRows: 20,
  /** Characters of a value that it shows. */
  sampleValueLength: 200,
  /** Unpacked bytes of a file that it, and the trial of an import, look at. */
  sampleBytes: MIB,
  /** Bytes of a file elsewhere that these fetch. */
  sampleDownloadBytes: 4 * MIB,
  /** Rows that the trial of an import reads. */
  trialRows: 100,
  /** Milliseconds in which the receiver of a callback has to answer. */
  callbackMs: 15_000,
  /** Attempts that a callback lists, the newest. */
  callbackAttempts: 20,
  /** Milliseconds of a Retry-After that are waited for at most. */
  callbackRetryAfterMs: 8 * 60 * 60 * 1000,
  /** Days for which callbacks are listed. */
  callbackDays: 30,
  /** Milliseconds for which a secret of callbacks still signs after the next was made. */
  callbackSecretMs: 24 * 60 * 60 * 1000,
  /** Secrets that sign callbacks at once, the newest. */
  callbackSecrets: 4,
  /** Rejected rows that a rejects file lists; more are only counted. */
  listedRejects: 100_000,
  /** Facets, and filters, of which a csv export has columns when none are named. */
  exportNames: 100,
  /** Products in a page that an export sends, unless its installation says otherwise. */
  exportPage: 100,
  /** Bytes of such a page, unless one product has more. */
  exportPageBytes: 4 * MIB,
  /** Items for which Run Extension Possible Matches looks at once. */
  matchedItems: 25,
  /** Products that it answers for each of them. */
  possibleMatches: 10,
  /** Fields of an extension, and values that a request gives for them. */
  extensionFields: 100,
  /** Characters of the value of an extension's field. */
  fieldValueLength: 64 * 1024,
  /** Bytes of a list that products are recommended for. */
  recommendationFileBytes: 5 * MIB,
  /** Lines of such a list. */
  recommendationLines: 1_000,
  /** Products that similar ones, or those bought together, are looked for at once. */
  recommendationProducts: 50,
  /** Products that are recommended for each of them. */
  recommendedProducts: 5,
  /** Products that one line of it may mean. */
  recommendationMatches: 50,
  /** Products that a remote recommender may answer at once. */
  remoteRecommendations: 1_000,
  /** Products, or links of them, that a remote export may answer at once. */
  remoteEntries: 5_000,
  /** Extensions that an organization has installed. */
  installations: 100,
  /** Bytes of their values and mappings together as JSON, and of the values that they share. */
  installationBytes: 2 * MIB,
  /** Milliseconds between two runs of a schedule, at least. */
  scheduleMs: 5 * 60 * 1000,
  /** Remote extensions that an organization has registered. */
  registeredExtensions: 100,
  /** Bytes of the manifest of a remote extension. */
  manifestBytes: 64 * 1024,
  /** Milliseconds that a call of a remote extension may take. */
  extensionCallMs: 10_000,
  /** Bytes of what a remote extension answers, the lines of an import aside. */
  extensionAnswerBytes: 2 * MIB,
  /** Forms of protected values times bytes of an answer that they are looked for in. */
  hiddenFormBytes: 50_000_000,
  /** Milliseconds in which a vendor has to answer about stock and price. */
  realtimeMs: 2_000,
  /** Milliseconds after which nobody waits for vendors any longer. */
  realtimeAllMs: 2_100,
  /** Products that a vendor is asked about in one call. */
  realtimeBatch: 100,
  /** Calls to one vendor that an instance has under way. */
  realtimeCalls: 4,
  /** Calls to one vendor that wait for that; what comes beyond is not asked. */
  realtimeWaiting: 16,
  /** Milliseconds for which a vendor's answer about a product is believed. */
  realtimeBelievedMs: 10_000,
  /** Answers that an instance believes at a time, and their characters; the oldest give way. */
  realtimeAnswers: 20_000,
  realtimeKeptBytes: 16 * MIB,
  /** Milliseconds in which offers that vendors answered are stored. */
  realtimeStoreMs: 5_000,
  /** Products times vendors that one request may ask about. */
  realtimePairs: 10_000,
  /** Items that a vendor's answer may have. */
  realtimeItems: 1_000,
  /** Warehouses that a vendor may list for a product. */
  warehouses: 100,
  /** Fields that an entry of the audit log lists; more are only counted. */
  auditFields: 50,
  /** Characters of the name of one, and of a thing. */
  auditNameLength: 200,
  /** Characters of a value that it had or has. */
  auditValueLength: 200,
  childOrganizations: 200,
  organizationCatalogs: 1_000,
  organizationUsers: 10_000,
  /** Users of an organization that Get Organizations lists, the first. */
  listedUsers: 100,
  organizationConfigurations: 100,
  /** Largest number of users, catalogs or credits that an organization may be given. */
  allowance: 1_000_000_000,
  /** Keys of one user in one organization that are neither disabled nor expired. */
  keysPerUser: 100,
  /** Keys that Get API Keys lists, the newest first. */
  listedKeys: 10_000,
  /** Web origins of a search key. */
  keyOrigins: 20,
  /** Catalogs that a search key is bound to. */
  keyCatalogs: 100,
  /** Requests a second that a key may be held to. */
  keyRate: 10_000,
  /** Characters of a signed key: headers as a whole have 16 KiB. */
  signedKeyLength: 4_096,
  /** Seconds for which caches may keep answers to a search key, at most. */
  cacheSeconds: 604_800,
  /** Workspaces of an organization, those of punchout sessions aside. */
  workspaces: 1_000,
  /** Items of a workspace, and of Get Workspaces. */
  workspaceItems: 500,
  /** Bytes of a workspace's items together, as JSON, with the texts that are kept of their products. */
  workspaceItemBytes: MIB,
  /** Largest quantity of a workspace item; the smallest is a thousandth. */
  workspaceQuantity: 1_000_000,
  /** Largest price of a workspace item. */
  workspacePrice: 1_000_000_000,
  /** Fields of extensions on a workspace. */
  workspaceFields: 1_000,
  /** Bytes of these fields together, as JSON. */
  workspaceFieldBytes: MIB,
  /** Milliseconds in which the token of a punchout session must be used. */
  punchoutTokenMs: 15 * 60 * 1000,
  /** Milliseconds that a punchout session lasts at most. */
  punchoutSessionMs: 2 * 60 * 60 * 1000,
  /** Punchout sessions of an organization that were set up and are not over. */
  punchoutSessions: 10_000,
  /** Saved searches of a user in an organization. */
  savedSearches: 100,
  /** Bytes of a saved search as JSON. */
  savedSearchBytes: 16 * 1024,
  /** Columns that a user saves for one page. */
  columns: 200,
  /** Pages for which a user saves columns. */
  columnPages: 50,
  /** Milliseconds for which search credits are gathered for one write. */
  creditGatherMs: 3,
  /** Milliseconds after which a search that took a credit can no longer be answered. */
  creditHoldMs: 20_000,
  /** Usage entries that wait while they cannot be written; older ones are dropped. */
  usageQueue: 10_000,
  /** Pairs of user and key that Search Usage reads at once. */
  usageGroups: 1_000,
  /** Milliseconds that a request may take before it is answered 503. */
  requestMs: 2_500,
  /** Milliseconds that one Elasticsearch call may take. */
  elasticMs: 2_000,
  /** Milliseconds for which a key, organization or catalog that was found is believed. */
  cacheMs: 2_000,
  /** Characters of names of catalogs, and of installed vendors, that are believed at a time; the oldest give way. */
  cachedCharacters: 32 * MIB,
  /** Milliseconds by which the clocks of an instance and of Elasticsearch may differ unsaid. */
  clockApartMs: 5_000,
  /** Milliseconds in which equal failures are one line of the log, with their number. */
  logRepeatMs: 60_000,
  /** Kinds of failures that are told apart at a time; what comes beyond is one kind. */
  loggedKinds: 1_000,
  /** Milliseconds for which a start waits for an Elasticsearch that is busy or away. */
  startWaitMs: 60_000,
  /** Milliseconds after which nobody writes into a catalog that was deleted. */
  catalogRemovalMs: 10_000,
} as const
