import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { Exact, OptionalText, RequiredExact } from '../shapes.ts'

const LONGEST_KEY = 256
const required = (max: number) => z.string().trim().min(1, 'required').max(max)

/** PunchoutSetupRequest; `buyerCookie` and `priceList` are additions. */
export const SetupBody = allowIgnoredFields(
  z.object({
    company: required(limits.nameLength).describe('Id or name of the organization.'),
    username: required(limits.nameLength).describe('Name of the user who will shop.'),
    apiKey: required(LONGEST_KEY).describe('A full API key of the user.'),
    callbackUrl: required(limits.valueLength).describe(
      'URL to which the order is sent. Its host must be listed in the setting `punchoutCallbackHosts`.',
    ),
    buyerCookie: OptionalText(limits.nameLength).describe('Value that is returned with the order.'),
    priceList: Exact(limits.nameLength).describe(
      'Name of the price list, in each catalog, that the session uses for searching and buying. Defaults to the general prices.',
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
    startPageUrl: z.string().describe("URL to open in the user's browser. It can be used once."),
    expires: z.iso
      .datetime()
      .describe('Time until which the URL can be used, which is 15 minutes after the setup.'),
  })
  .describe('The URL for starting the session.')

export const TokenPath = z.object({
  token: RequiredExact(limits.idLength).describe(
    'The part of `startPageUrl` after `#punchout=`. It can be used only once.',
  ),
})

export const StartAnswer = z
  .object({
    key: z
      .string()
      .describe('A search key for the session, which can also change the items of its workspace.'),
    organization: z.string().describe('Id of the organization.'),
    workspace: z.string().describe('Id of the workspace that becomes the order.'),
    expires: z.iso
      .datetime()
      .describe('Time at which the session ends, which is two hours after its start.'),
  })
  .describe('The started session.')

export const ReturnBody = z.object({
  format: z
    .enum(['json', 'cxml'], 'must be json or cxml')
    .describe(
      'Format of the order. `json` returns the field `items` with JSON text, and `cxml` the field `cXML-urlencoded` with a PunchOutOrderMessage.',
    ),
})

export const ReturnAnswer = z
  .object({
    url: z.string().describe('URL for the `action` of the form that the browser submits.'),
    fields: z.record(z.string(), z.string()).describe('Hidden fields of the form, by name.'),
  })
  .describe('The form for submitting the order.')
