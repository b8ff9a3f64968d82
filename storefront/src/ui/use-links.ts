import { useEffect } from 'preact/hooks'

/** Handles clicks on the page's own links without reloading it. */
export function useLinks(isOwn: (address: string) => boolean, go: (address: string) => void) {
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event
      if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
      const link = target instanceof Element ? target.closest('a') : null
      const address = link?.getAttribute('href')
      if (!address || !isOwn(address)) return
      event.preventDefault()
      go(address)
      document.getElementById('main')?.focus({ preventScroll: true })
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [isOwn, go])
}
