import { bothRevisions, operation } from '../operation.ts'
import { returnOrder } from './return-order.ts'
import {
  ReturnAnswer,
  ReturnBody,
  SetupAnswer,
  SetupBody,
  StartAnswer,
  TokenPath,
} from './schemas.ts'
import { type SetupResult, setUp } from './setup.ts'
import { startSession } from './start.ts'

export const punchoutOperations = [
  operation({
    name: 'Punchout Setup',
    summary:
      "Verifies a buyer's company, user name and API key, and returns the URL at which the user can shop.",
    access: 'public',
    fails: ['unauthenticated', 'unavailable'],
    bindings: bothRevisions('POST', '/api/KeyAuth/punchout/setup/json', {
      body: SetupBody,
      answer: SetupAnswer,
      encode: (invitation: SetupResult) => ({
        success: true,
        message: 'Send the user to startPageUrl.',
        ...invitation,
      }),
    }),
    handle: ({ body }, ctx) => setUp(ctx, body),
  }),
  operation({
    name: 'Start Punchout Session',
    summary:
      'Redeems a token from Punchout Setup and returns the key and the workspace of the session.',
    access: 'public',
    bindings: bothRevisions('GET', '/api/KeyAuth/punchout/session/:token', {
      param: TokenPath,
      noHead: true,
      answer: StartAnswer,
    }),
    handle: ({ token }, ctx) => startSession(ctx, token),
  }),
  operation({
    name: 'Return Punchout Session',
    summary: 'Ends a session and returns the form with which the browser submits the order.',
    access: 'viewer',
    keys: ['session'],
    bindings: bothRevisions('POST', '/api/KeyAuth/punchout/return', {
      body: ReturnBody,
      answer: ReturnAnswer,
    }),
    handle: ({ body }, ctx) => returnOrder(ctx, body.format),
  }),
]
