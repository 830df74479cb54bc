/**
 * What an operator says about the service, in place of the standard claims. What is left out is not claimed. The texts
 * are plain: one line each, without markup.
 */
export interface SiteClaims {
  /** Heading of the home page. */
  readonly title?: string | undefined;
  /** The text below it. */
  readonly lead?: string | undefined;
  /** Paragraphs about the service on the home page. */
  readonly home?: readonly string[] | undefined;
  /** Paragraphs of About Us. */
  readonly about?: readonly string[] | undefined;
  /** Figures of About Us, each with what it counts. */
  readonly figures?: readonly (readonly [figure: string, what: string])[] | undefined;
}
