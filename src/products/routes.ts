import type { z } from 'zod'
import { type Method, type RouteParts, route } from '../operation.ts'
import { ProductPath, pathIn10 } from './schemas.ts'

/**
 * Declares the same binding below the path of a product for both revisions, of which 1.0 calls the
 * catalog parameter `name`. `further` declares the parameters in `rest`.
 */
export function belowProduct<
  Output,
  S extends z.ZodRawShape,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | 'stream' | undefined = undefined,
>(
  method: Method,
  rest: string,
  { further, ...parts }: RouteParts<undefined, Q, B, Output> & { further?: z.ZodObject<S> },
) {
  type Path = z.ZodType<z.output<typeof ProductPath> & z.output<z.ZodObject<S>>>
  const shape = further?.shape ?? {}
  const bind = (path: string, param: unknown) =>
    route<Output, Path, Q, B>(method, `${path}${rest}`, { ...parts, param: param as Path })
  return {
    '1.0': bind('/api/Catalog/:name/:id', pathIn10({ id: ProductPath.shape.id, ...shape })),
    '6.0': bind('/api/Catalog/:catalog/products/:id', ProductPath.extend(shape)),
  }
}
