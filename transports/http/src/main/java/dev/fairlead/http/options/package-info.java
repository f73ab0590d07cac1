/**
 * What an HTTP endpoint lets users set and observe, beside the numbers of {@link
 * dev.fairlead.http.HttpOptions}: authorization, figures, and why requests are refused.
 */
@NullMarked
package dev.fairlead.http.options;

import org.jspecify.annotations.NullMarked;
