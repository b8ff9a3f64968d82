import { useState } from 'preact/hooks'
import { useShop } from '../shop/shop.ts'
import { Icon } from './icons.tsx'

interface PictureProps {
  /** Undefined while loading, null if there is none. */
  readonly url: string | null | undefined
  /** Displayed width: the `sizes` of an `<img>`. */
  readonly across: string
  /** Empty if the name is shown beside the picture. */
  readonly alt?: string
  readonly eager?: boolean
}

/** A product's picture; a placeholder if there is none or it fails to load. */
export function Picture({ url, across, alt = '', eager = false }: PictureProps) {
  const shop = useShop()
  const [failed, setFailed] = useState<string>()
  const source = url ? shop.picture(url) : undefined
  const isShown = source !== undefined && failed !== source.src
  return (
    <span class={isShown ? 'picture' : 'picture is-missing'}>
      {isShown && (
        <img
          key={source.src}
          {...source}
          sizes={source.srcset && across}
          alt={alt}
          width="320"
          height="240"
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          onError={() => setFailed(source.src)}
        />
      )}
      {!isShown && url !== undefined && <Icon name="box" />}
    </span>
  )
}
