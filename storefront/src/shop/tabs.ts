/** What each tab keeps by itself. */
interface Kept {
  read(): string | null
  write(text: string): void
  forget(): void
}

type Message = { readonly asks: true } | { readonly has: string } | { readonly leaves: true }

/** Says that some tab has it, never what: a tab that finds it asks the others. */
const FLAG = 'aisle.signed-in'
const PATIENCE_MS = 300

/** Tabs of this page give what they keep to a new one; it is written nowhere. */
export function shareBetweenTabs(kept: Kept) {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(FLAG)
  const post = (message: Message) => channel?.postMessage(message)
  let taken = () => {}
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const own = kept.read()
    if ('leaves' in data) kept.forget()
    else if ('asks' in data) own !== null && post({ has: own })
    else if (own === null) {
      kept.write(data.has)
      taken()
    }
  })
  return {
    announce: () => flag(true),
    leave() {
      flag(false)
      post({ leaves: true })
    },
    /** Asks the others where one of them has it; nobody who is alone waits. */
    async take(): Promise<void> {
      if (kept.read() !== null || !channel || !flagged()) return
      await new Promise<void>((resolve) => {
        const end = setTimeout(() => {
          flag(false)
          resolve()
        }, PATIENCE_MS)
        taken = () => {
          clearTimeout(end)
          resolve()
        }
        post({ asks: true })
      })
    },
  }
}

function flagged(): boolean {
  try {
    return localStorage.getItem(FLAG) !== null
  } catch {
    return false
  }
}

function flag(isSet: boolean): void {
  try {
    if (isSet) localStorage.setItem(FLAG, '1')
    else localStorage.removeItem(FLAG)
  } catch {
    // A browser that keeps nothing has each tab for itself.
  }
}
