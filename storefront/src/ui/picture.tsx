import { useState } from 'preact/hooks'
import { useShop } from '../shop/shop.ts'
import { Icon } from './icons.tsx'

interface PictureProps {
  /** Undefined where it is still to be known, null where there is none. */
  readonly url: string | null | undefined
  /** Empty where the name stands beside it. */
  readonly alt?: string
  readonly eager?: boolean
}

/** A product's picture on its tile; a drawing where there is none, or it does not come. */
export function Picture({ url, alt = '', eager = false }: PictureProps) {
  const shop = useShop()
  const [failed, setFailed] = useState<string>()
  const address = url ? shop.picture(url) : undefined
  const isShown = address !== undefined && failed !== address
  return (
    <span class={isShown ? 'picture' : 'picture is-missing'}>
      {isShown && (
        <img
          key={address}
          src={address}
          alt={alt}
          width="320"
          height="240"
          loading={eager ? 'eager' : 'lazy'}
          decoding="async"
          onError={() => setFailed(address)}
        />
      )}
      {!isShown && url !== undefined && <Icon name="box" />}
    </span>
  )
}
