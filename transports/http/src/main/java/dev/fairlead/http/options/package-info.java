/**
 * The settings and figures of an HTTP endpoint for users, beside the numbers of {@link
 * dev.fairlead.http.HttpOptions}: authorization, figures, and why requests are refused.
 */
@NullMarked
package dev.fairlead.http.options;

import org.jspecify.annotations.NullMarked;
