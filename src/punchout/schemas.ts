import { z } from 'zod'
import { limits } from '../limits.ts'
import { OptionalText } from '../shapes.ts'

const LONGEST_KEY = 256
const required = (max: number) => z.string().trim().min(1, 'required').max(max)

/** PunchoutSetupRequest; `buyerCookie` is an addition. */
export const SetupBody = z.object({
  company: required(limits.nameLength),
  username: required(limits.nameLength),
  apiKey: required(LONGEST_KEY),
  callbackUrl: required(limits.valueLength),
  buyerCookie: OptionalText(limits.nameLength),
})
export type SetupBody = z.output<typeof SetupBody>

/** PunchoutSetupResponse. */
export const SetupAnswer = z.object({
  success: z.boolean(),
  message: z.string(),
  startPageUrl: z.string(),
  expires: z.iso.datetime(),
})

export const TokenPath = z.object({ token: z.string().min(1).max(limits.idLength) })

export const StartAnswer = z.object({
  key: z.string(),
  organization: z.string(),
  workspace: z.string(),
  expires: z.iso.datetime(),
})

export const ReturnBody = z.object({
  format: z.enum(['json', 'cxml'], 'must be json or cxml'),
})

export const ReturnAnswer = z.object({
  url: z.string(),
  fields: z.record(z.string(), z.string()),
})
