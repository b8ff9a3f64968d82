import type { z } from 'zod'
import { deadlineFailure, publicError } from '../errors.ts'
import { checkAccess } from '../http/access-checks.ts'
import type { Context, Operation } from '../operation.ts'
import { checkText } from '../platform/input-checks.ts'
import { parseWith } from '../platform/validation-problem.ts'
import type { Tool, ToolRequest } from './tools.ts'
import { truncateResponse } from './truncate-response.ts'

/** The result of a tool: one text, and whether it describes a failure. */
export interface ToolResult {
  readonly [key: string]: unknown
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly isError?: boolean
}

const result = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })

/** Runs the operation of a tool for a caller, with the same checks as a direct request. */
export async function callTool(
  { request, answer, ...tool }: Tool,
  operation: Operation,
  { input, ctx }: { readonly input: unknown; readonly ctx: Context },
): Promise<ToolResult> {
  try {
    checkAccess(operation, ctx.caller)
    const answered = await run(operation, request(input as never), ctx)
    return result(truncateResponse(answer(answered as never)))
  } catch (thrown) {
    const error = deadlineFailure(thrown)
    const { status, message } = publicError(error)
    if (status >= 500) {
      const about = { err: error, requestId: ctx.requestId, tool: tool.name }
      ctx.log.error(about, 'tool failed')
    }
    return { ...result(message), isError: true }
  }
}

async function run(operation: Operation, sent: ToolRequest, ctx: Context): Promise<unknown> {
  const { param, query, body, encode } = operation.bindings['6.0']!
  const json = body === 'stream' ? undefined : body
  const input = {
    ...parsed(param, sent.param),
    ...parsed(query, sent.query),
    ...(json ? { body: parsed(json, sent.body), sent: sent.body } : {}),
  }
  const handle = operation.handle as (input: object, ctx: Context) => unknown
  return (encode as (output: unknown) => unknown)(await handle(input, ctx))
}

function parsed(schema: z.ZodType | undefined, value: object = {}): object {
  if (!schema) return {}
  for (const [name, text] of Object.entries(value)) {
    if (typeof text === 'string') checkText(text, name)
  }
  return parseWith(schema, value, 'request') as object
}
