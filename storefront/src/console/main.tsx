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
import { messageOf } from '../shop/failure.ts'
import { Notice } from '../ui/states.tsx'
import { App } from './app.tsx'
import { openConsole } from './console.ts'
import { leaveBeside, tellBeside } from './openid/beside.ts'
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
    render(<Refused message={messageOf(error)} />, place)
  }
}

/** Shown if the service does not respond or refuses the key. */
const Refused = ({ message }: { message: string }) => (
  <main class="alone">
    <Notice title="Couldn’t open the console">
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

/** Signs in inside a window that was opened for the tab beside it. */
async function signInBeside(work: Promise<void>) {
  const show = (title: string, text: string) =>
    render(
      <main class="alone">
        <Notice title={title}>
          <p role="status">{text}</p>
        </Notice>
      </main>,
      place,
    )
  show('Signing you in…', 'This window closes automatically.')
  try {
    await work
    show('You’re signed in', 'You can close this window and continue in the other one.')
  } catch (error) {
    show('Sign-in failed', messageOf(error))
  }
}

// Runs first, and removes the issuer's parameters from the address.
const returned = takeReturn()
const signed = keptSigned()
const left = returned ? undefined : leaveBeside()
if (returned?.beside !== undefined) {
  const { beside } = returned
  void signInBeside(returned.grant().then((grant) => tellBeside(beside, grant)))
} else if (left) void signInBeside(left)
else if (returned) signIn(returned.grant)
else if (signed) void open(signed)
else signIn()
