/** Replaces `qs`, which InstantSearch needs only for a router that the storefront does not use. */
export default {}
