/** Opens the way for a chunk; what it returns, if anything, is called when the chunk was read. */
type Enter = () => Promise<(() => void) | undefined>

/** The same bytes, each chunk of which is read only once its reader wants it and `enter` resolves. */
export function gatedStream(
  body: ReadableStream<Uint8Array>,
  enter: Enter,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const leave = await enter()
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } finally {
          leave?.()
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
