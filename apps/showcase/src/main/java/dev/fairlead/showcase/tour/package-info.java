/**
 * The tour: a small server about night trains, for people who try Fairlead for the first time.
 *
 * <p>{@link dev.fairlead.showcase.tour.Tour} declares its features. All data is in memory and
 * bounded, since every caller is anonymous.
 */
@NullMarked
package dev.fairlead.showcase.tour;

import org.jspecify.annotations.NullMarked;
