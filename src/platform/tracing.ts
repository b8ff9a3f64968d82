/** Attributes of a span, by OpenTelemetry's conventions where they name one. No credential, no body. */
export type SpanFacts = Readonly<Record<string, string | number | undefined>>

/** A span that is under way. */
export interface OpenSpan {
  readonly traceId: string
  /** `traceparent` and `tracestate`, for whom is called within it. */
  readonly headers: Readonly<Record<string, string>>
  /** Once, with what is known at its end. */
  end(facts: SpanFacts, failed: boolean): void
}

/** Where spans begin. An instance without traces has none. */
export interface Tracing {
  /** The answer to a request: a part of its sender's trace where its headers name one. */
  request(name: string, headers: Headers, facts: SpanFacts): OpenSpan
  /** A call to another system: a part of `parent`, else a trace of its own. */
  call(name: string, facts: SpanFacts, parent?: OpenSpan): OpenSpan
  /** Work that goes on by itself: a trace of its own, linked to what made it (its `traceparent`). */
  work(name: string, facts: SpanFacts, cause: string | undefined): OpenSpan
  /** Sends what has ended, for two seconds at most. */
  stop(): Promise<void>
}
