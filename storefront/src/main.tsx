import { render } from 'preact'
import {
  currentSession,
  loadSettings,
  onSignedOutElsewhere,
  takeFromOtherTab,
} from './shop/session.ts'
import { createShop } from './shop/shop.ts'
import './style/base.css'
import './style/controls.css'
import './style/choices.css'
import './style/header.css'
import './style/results.css'
import './style/card.css'
import './style/filters.css'
import './style/range.css'
import './style/product.css'
import './style/home.css'
import './style/lists.css'
import './style/member.css'
import './style/variants.css'
import { App } from './ui/app.tsx'
import { SignInPage } from './ui/sign-in.tsx'
import { Unreachable } from './ui/states.tsx'

const place = document.getElementById('shop')!

async function start() {
  const [settings] = await Promise.all([loadSettings(), takeFromOtherTab()])
  const session = currentSession(settings)
  if (!session) {
    render(<SignInPage />, place)
    return
  }
  const shop = createShop(settings, session)
  shop.search.start()
  render(<App shop={shop} />, place)
}

onSignedOutElsewhere(() => location.reload())
start().catch(() => render(<Unreachable />, place))
