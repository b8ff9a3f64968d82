import { AisleError } from 'aisle-client'
import { render } from 'preact'
import '../style/base.css'
import '../style/controls.css'
import '../style/choices.css'
import '../style/header.css'
import './style/frame.css'
import './style/forms.css'
import './style/tables.css'
import './style/import.css'
import './style/screens.css'
import './style/tuning.css'
import { Notice } from '../ui/states.tsx'
import { App } from './app.tsx'
import { openConsole } from './console.ts'
import { type Grant, takeReturn } from './openid/tokens.ts'
import { forgetSigned, keepSigned, keptSigned, type Signed } from './session.ts'
import { SignIn } from './sign-in.tsx'

const place = document.getElementById('console')!

const signIn = (returned?: () => Promise<Grant>) =>
  render(
    <SignIn
      returned={returned}
      onSigned={(signed) => {
        keepSigned(signed)
        void open(signed)
      }}
    />,
    place,
  )

async function open(signed: Signed) {
  try {
    render(<App console={await openConsole(signed)} />, place)
  } catch (error) {
    const message = error instanceof AisleError ? error.message : 'The console does not open.'
    render(<Refused message={message} />, place)
  }
}

/** The service is away, or the key does not work any more. */
const Refused = ({ message }: { message: string }) => (
  <main class="alone">
    <Notice title="The console does not open">
      <p role="alert">{message}</p>
      <p class="buttons">
        <button type="button" class="button" onClick={() => location.reload()}>
          Try again
        </button>
        <button
          type="button"
          class="button"
          onClick={() => {
            forgetSigned()
            signIn()
          }}
        >
          Sign in again
        </button>
      </p>
    </Notice>
  </main>
)

// First of all: what an issuer said in the address is in it no longer.
const returned = takeReturn()
const signed = keptSigned()
if (returned) signIn(returned)
else if (signed) void open(signed)
else signIn()
