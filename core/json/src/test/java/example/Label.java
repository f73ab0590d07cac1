package example;

import dev.fairlead.json.Keyword;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** An annotation of another library that adds a keyword. */
@Retention(RetentionPolicy.RUNTIME)
@Keyword(value = "x-label", matches = "\\w+", expected = "a word")
public @interface Label {
    /** The text of the keyword. */
    String value();
}
