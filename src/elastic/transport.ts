import { errors, Transport } from '@elastic/elasticsearch'
import { limits } from '../limits.ts'

type Request = Transport['request']

/**
 * One deadline over the whole of a call, its own limits.elasticMs unless it says `requestTimeout`.
 * The stock client caps a longer one by the pool's, does not cover the body, and ends a call by
 * an `abort` event on the caller's signal, which ends all other calls on it.
 */
export class DeadlineTransport extends Transport {
  override request = (async (
    params: Parameters<Request>[0],
    { requestTimeout = limits.elasticMs, signal, ...options }: Parameters<Request>[1] = {},
  ) => {
    const deadline = AbortSignal.timeout(Number(requestTimeout))
    const both = signal ? AbortSignal.any([signal as AbortSignal, deadline]) : deadline
    try {
      return await super.request(params, { ...options, signal: both })
    } catch (error) {
      if (!deadline.aborted || error instanceof errors.ResponseError) throw error
      throw new errors.TimeoutError(`no answer within ${requestTimeout} ms`)
    }
  }) as Request
}
