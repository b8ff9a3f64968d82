import { decodeJwt, errors, jwtVerify } from 'jose'
import { Failure, StartupFailure, Unauthenticated } from '../errors.ts'
import { limits } from '../limits.ts'
import { untilAborted } from '../platform/deadline.ts'
import { createIssuer, type Issuer, type IssuerParts, isTrusted } from './issuer.ts'
import { type Claims, type Person, personOf } from './person.ts'
import type { SignInSettings } from './settings.ts'

/** Accepts tokens of the configured issuers. */
export interface SignIn {
  readonly settings: SignInSettings
  readonly issuers: readonly Issuer[]
  /**
   * The bearer of a token. Throws Unauthenticated, and Unavailable when the issuer has to be asked
   * and does not answer.
   */
  personOf(token: string, signal: AbortSignal): Promise<Person>
}

/** Algorithms with signatures that only the issuer can make. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]
/** Types of tokens that identify people. Issuers also sign other things, such as logout tokens. */
const TYPES = ['jwt', 'at+jwt', 'application/at+jwt']

/** Throws StartupFailure for an issuer whose keys could be replaced in transit. */
export function createSignIn(settings: SignInSettings, parts: IssuerParts): SignIn {
  const untrusted = settings.issuers.find((name) => !isTrusted(parts.outbound, name))
  if (untrusted !== undefined) {
    throw new StartupFailure(
      `OIDC_ISSUER: ${untrusted} must begin with https://, unless OUTBOUND_ALLOW lists its host.`,
    )
  }
  const issuers = settings.issuers.map((name) => createIssuer(name, parts))
  return {
    settings,
    issuers,
    async personOf(token, signal) {
      if (token.length > limits.tokenLength) {
        throw new Unauthenticated(
          `A token has at most ${limits.tokenLength} characters, but this one has ${token.length}. Configure its issuer to include fewer groups.`,
        )
      }
      const issuer = issuers.find(({ name }) => name === issuerOf(token))
      if (!issuer)
        throw new Unauthenticated('The token comes from an issuer that is not accepted here.')
      const verified = verifiedClaims(token, issuer, {
        audience: [...settings.audiences],
        currentDate: parts.clock.now(),
      }).catch((error: unknown) => {
        if (error instanceof Failure) throw error
        // The issuer's key is damaged, or too short to be trusted.
        parts.log.warn({ issuer: issuer.name, err: error }, 'a key of the issuer cannot be used')
        throw new Unauthenticated(INVALID)
      })
      return personOf(await untilAborted(signal, verified), settings)
    },
  }
}

/** Whether a credential is a token (JWT) rather than a key. */
export const isToken = (secret: string): boolean => /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(secret)

/** The issuer that a token claims, before it is verified. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    throw new Unauthenticated(INVALID)
  }
}

interface Expected {
  readonly audience: string[]
  readonly currentDate: Date
}

async function verifiedClaims(token: string, issuer: Issuer, expected: Expected): Promise<Claims> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, issuer.keyOf, {
      ...expected,
      issuer: issuer.name,
      algorithms: ALGORITHMS,
      clockTolerance: limits.tokenToleranceSeconds,
      requiredClaims: ['sub', 'iat', 'exp'],
    })
    const type = String(protectedHeader.typ ?? 'jwt').toLowerCase()
    const isOther = !TYPES.includes(type) || 'events' in payload
    const { sub, iat } = payload
    const isSubject = typeof sub === 'string' && sub !== '' && sub.length <= limits.subjectLength
    if (isOther || !isSubject) throw new Unauthenticated(INVALID)
    const latest = expected.currentDate.getTime() / 1_000 + limits.tokenToleranceSeconds
    if (!(iat! >= 0 && iat! <= latest)) throw new Unauthenticated(EARLY)
    return payload as Claims
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new Unauthenticated(problemOf(error))
    throw error
  }
}

const EARLY = 'The token is not valid yet. Check the clocks.'
const INVALID = 'The token is not valid. Sign in again.'

/** The message for a token, with details only if its signature is valid. */
function problemOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired. Sign in again.'
  if (!(error instanceof errors.JWTClaimValidationFailed)) return INVALID
  if (error.claim === 'aud') return 'The token is for a different audience than this service.'
  if (error.claim === 'nbf') return EARLY
  return `The token is not valid: its claim ${error.claim} is missing or wrong.`
}
