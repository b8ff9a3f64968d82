import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { Exact } from '../products/criteria.ts'
import { OptionalText } from '../shapes.ts'

const LONGEST_KEY = 256
const required = (max: number) => z.string().trim().min(1, 'required').max(max)

/** PunchoutSetupRequest; `buyerCookie` and `priceList` are additions. */
export const SetupBody = allowIgnoredFields(
  z.object({
    company: required(limits.nameLength).describe("The organization's id or name."),
    username: required(limits.nameLength).describe('The user who will shop.'),
    apiKey: required(LONGEST_KEY).describe('A full key of that user.'),
    callbackUrl: required(limits.valueLength).describe(
      'Where the order goes; its host is named by the configuration `punchoutCallbackHosts`.',
    ),
    buyerCookie: OptionalText(limits.nameLength).describe('Comes back with the order.'),
    priceList: Exact(limits.nameLength).describe(
      'Name of the price list, in each catalog, by which the session searches and buys; general prices when absent.',
    ),
  }),
  ['password'],
)
export type SetupBody = z.output<typeof SetupBody>

/** PunchoutSetupResponse. */
export const SetupAnswer = z
  .object({
    success: z.boolean(),
    message: z.string(),
    startPageUrl: z.string().describe('Send the browser of the user here; opens once.'),
    expires: z.iso.datetime().describe('Until when it can be opened: 15 minutes.'),
  })
  .describe('The session can be started.')

export const TokenPath = z.object({
  token: z
    .string()
    .min(1)
    .max(limits.idLength)
    .describe('What stands behind `#punchout=` in `startPageUrl`; spent by this call.'),
})

export const StartAnswer = z
  .object({
    key: z
      .string()
      .describe('A search key of the session, which may also change the items of its workspace.'),
    organization: z.string().describe('Its id.'),
    workspace: z.string().describe('Id of the workspace that becomes the order.'),
    expires: z.iso.datetime().describe('When the session ends: after two hours.'),
  })
  .describe('The session has begun.')

export const ReturnBody = z.object({
  format: z
    .enum(['json', 'cxml'], 'must be json or cxml')
    .describe(
      '`json`: the field `items`, a JSON text. `cxml`: the field `cXML-urlencoded`, a PunchOutOrderMessage.',
    ),
})

export const ReturnAnswer = z
  .object({
    url: z.string().describe('`action` of the form that the browser posts.'),
    fields: z.record(z.string(), z.string()).describe('Hidden fields of that form, by name.'),
  })
  .describe('The order, and the end of the session.')
