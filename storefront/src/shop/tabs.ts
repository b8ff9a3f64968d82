/** The value that each tab keeps for itself. */
interface Kept {
  read(): string | null
  write(text: string): void
  forget(): void
}

type Message = { readonly asks: true } | { readonly has: string } | { readonly leaves: true }

/** Says that some tab has a value, but never which: a tab that finds the flag asks the others. */
const FLAG = 'aisle.signed-in'
const PATIENCE_MS = 1_000

/** Lets a new tab take the value of an open one, without writing it to shared storage. */
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
    /** Asks the other tabs if one of them has the value; returns at once if none has. */
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
    // Without storage each tab is on its own.
  }
}
