/** Limits of what a shop sets for the searches of a catalog: part of `limits`. */
export const tuningLimits = {
  /** Synonym groups of a catalog. */
  synonymGroups: 2_000,
  /** Words and phrases of one side of a synonym group. */
  synonymGroupWords: 50,
  /** Other words that one word may stand for, over all groups. */
  wordSynonyms: 100,
  /** Characters of a synonym, of a stop phrase and of the words of a rule. */
  phraseLength: 200,
  /** Words of a synonym and of a stop phrase. */
  phraseWords: 8,
  /** Rules of a catalog. */
  searchRules: 1_000,
  /** Products that a rule pins, and those that it hides, each. */
  ruleProducts: 50,
  /** Criteria that a rule boosts by, hides by and narrows by, each. */
  ruleCriteria: 20,
  /** Last place that a product may be pinned to. */
  pinPosition: 250,
  /** First rules that apply to one search. */
  appliedRules: 20,
  /**
   * Characters of the boosts, pins, hidden products and filters of these rules together: enough for
   * one rule of maximum size.
   */
  appliedRulesLength: 160 * 1024,
  /** First products that these rules pin together. */
  appliedPins: 100,
  /** Characters of the address that a rule leads to. */
  redirectLength: 2_000,
  /** Characters of the name of an experiment. */
  experimentName: 100,
  /** Numbers of products that a catalog ranks by. */
  numberSignals: 5,
  /** Phrases that a catalog leaves out of searches. */
  stopPhrases: 500,
  /** Facets that a catalog puts in order, and those that it hides, each. */
  tunedFacets: 200,
  /** Bytes of the search settings of a catalog as JSON. */
  searchSettingsBytes: 1024 * 1024,
  /** Milliseconds for which the search settings of a catalog are cached. */
  searchSettingsMs: 500,
} as const
