import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { recentSearches } from '../shop/kept.ts'
import { useSearchPrice, useShop } from '../shop/shop.ts'
import { useStore } from '../shop/store.ts'
import { useSuggestions } from '../shop/use-suggestions.ts'
import { Icon } from './icons.tsx'
import { Picture } from './picture.tsx'
import { type Suggestion, suggestionGroups } from './suggestion-list.ts'

const LONGEST = 400
const ICONS = { recent: 'clock', query: 'search', category: 'folder' } as const

/** The search box: results update at each keystroke, and a list shows suggestions. */
export function SearchBox() {
  const shop = useShop()
  const price = useSearchPrice()
  const text = useStore(shop.search.query)
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const suggestions = useSuggestions(text, isOpen)
  const recent = isOpen ? recentSearches.read() : []
  const groups = useMemo(
    () => suggestionGroups(text, recent, suggestions, price),
    [text, recent.join('\n'), suggestions, price],
  )
  const lines = groups.flatMap((group) => group.suggestions)
  const shown = isOpen && lines.length > 0
  const chosen = shown ? lines[active] : undefined
  useEffect(() => setActive(-1), [text])
  useSlash(input)

  const close = () => {
    setIsOpen(false)
    setActive(-1)
  }
  const submit = (keywords: string) => {
    const words = keywords.trim()
    if (words !== '') recentSearches.add(words)
    shop.router.showSearch()
    shop.search.submit(words)
    close()
    scrollTo(0, 0)
  }
  const take = ({ keywords, route }: Suggestion) => {
    if (keywords !== undefined) return submit(keywords)
    if (text.trim() !== '') recentSearches.add(text.trim())
    close()
    input.current?.blur()
    shop.router.go(shop.router.href(route!))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return setIsOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      const places = lines.length + 1
      setActive(((active + 1 + step + places) % places) - 1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (chosen) take(chosen)
      else submit(text)
    }
  }
  return (
    <search
      class="search-box"
      onFocusOut={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) close()
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        role="combobox"
        aria-label="Search products, brands and part numbers"
        aria-expanded={shown}
        aria-controls="suggestions"
        aria-autocomplete="list"
        {...(chosen ? { 'aria-activedescendant': chosen.id } : {})}
        placeholder="Search products or part numbers"
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        maxLength={LONGEST}
        value={text}
        onInput={(event) => {
          setIsOpen(true)
          shop.router.showSearch()
          shop.search.type(event.currentTarget.value)
        }}
        onFocus={() => setIsOpen(true)}
        onClick={() => setIsOpen(true)}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <button
          type="button"
          class="search-clear"
          aria-label="Clear search"
          onClick={() => {
            shop.search.submit('')
            input.current?.focus()
          }}
        >
          <Icon name="close" />
        </button>
      )}
      <div
        id="suggestions"
        class="suggestions"
        role="listbox"
        aria-label="Suggestions"
        hidden={!shown}
      >
        {groups.map(({ title, suggestions }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox contains groups, not fieldsets
          <div key={title} role="group" aria-label={title}>
            <div class="suggestions-title" aria-hidden="true">
              {title}
            </div>
            {suggestions.map((suggestion) => (
              <Line
                key={suggestion.id}
                suggestion={suggestion}
                isActive={suggestion === chosen}
                onTake={() => take(suggestion)}
              />
            ))}
          </div>
        ))}
      </div>
    </search>
  )
}

interface LineProps {
  readonly suggestion: Suggestion
  readonly isActive: boolean
  onTake(): void
}

function Line({ suggestion: { id, kind, text, detail, image }, isActive, onTake }: LineProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles keys, with aria-activedescendant
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      class={`suggestion is-${kind}`}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      {kind === 'product' ? <Picture url={image} across="3.5rem" /> : <Icon name={ICONS[kind]} />}
      <span class="suggestion-text">{text}</span>
      {detail !== undefined && <span class="suggestion-detail">{detail}</span>}
    </div>
  )
}

/** The slash key focuses the search box. */
function useSlash(input: { readonly current: HTMLInputElement | null }) {
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const { target } = event
      const isTyping = target instanceof HTMLElement && target.closest('input, select, textarea')
      if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [input])
}
