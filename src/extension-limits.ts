const MIB = 1024 * 1024

/** Limits of installed extensions and of calls to remote ones: part of `limits`. */
export const extensionLimits = {
  /** Extensions that an organization has installed. */
  installations: 100,
  /** Bytes of all their values and mappings as JSON, and of the values that they share. */
  installationBytes: 2 * MIB,
  /** Minimum milliseconds between two runs of a schedule. */
  scheduleMs: 5 * 60 * 1000,
  /** Remote extensions that an organization has registered. */
  registeredExtensions: 100,
  /** Bytes of the manifest of a remote extension. */
  manifestBytes: 64 * 1024,
  /** Milliseconds that a call of a remote extension may take. */
  extensionCallMs: 10_000,
  /** Bytes of an answer of a remote extension, not counting the lines of an import. */
  extensionAnswerBytes: 2 * MIB,
  /** Forms of protected values times bytes of the answer that is searched for them. */
  hiddenFormBytes: 50_000_000,
  /** Characters of the values that a request gives for protected fields, together. */
  protectedLength: 128 * 1024,
  /** Milliseconds for a vendor to answer about stock and price. */
  realtimeMs: 2_000,
  /** Milliseconds after which requests no longer wait for vendors. */
  realtimeAllMs: 2_100,
  /** Products that a vendor is asked about in one call. */
  realtimeBatch: 100,
  /** Calls to one vendor that an instance has under way. */
  realtimeCalls: 4,
  /** Calls to one vendor that may wait for one of these to end. Further calls are not made. */
  realtimeWaiting: 16,
  /** Milliseconds for which a vendor's answer about a product is cached. */
  realtimeBelievedMs: 10_000,
  /** Vendors' answers that an instance caches, and their characters; the oldest go first. */
  realtimeAnswers: 20_000,
  realtimeKeptBytes: 16 * MIB,
  /** Milliseconds for storing the offers that vendors answered. */
  realtimeStoreMs: 5_000,
  /** Products times vendors that one request may ask about. */
  realtimePairs: 10_000,
  /** Characters of vendors' answers in one response. */
  realtimeAnswerLength: 4 * MIB,
  /** Characters of the values that one request gives, times the vendors that get them. */
  realtimeGiven: 8 * MIB,
  /** Items that a vendor's answer may have. */
  realtimeItems: 1_000,
  /** Warehouses that a vendor may list for a product. */
  warehouses: 100,
} as const
