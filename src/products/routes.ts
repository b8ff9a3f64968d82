import { z } from 'zod'
import { type Method, type RouteParts, route } from '../operation.ts'
import { CatalogName, Id } from '../shapes.ts'
import { ProductPath } from './schemas.ts'

const Path10 = z.object({ name: CatalogName, id: Id.describe('Id of the product.') })

/**
 * Declares the same binding for both revisions below the path of a product, whose catalog parameter
 * is called `name` in 1.0. `further`: parameters in `rest`.
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
  const param10 = Path10.extend(shape).transform(({ name, ...path }) => ({
    ...path,
    catalog: name,
  }))
  const bind = (path: string, param: unknown) =>
    route<Output, Path, Q, B>(method, `${path}${rest}`, { ...parts, param: param as Path })
  return {
    '1.0': bind('/api/Catalog/:name/:id', param10),
    '6.0': bind('/api/Catalog/:catalog/products/:id', ProductPath.extend(shape)),
  }
}
