package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.auth.fetch.PlainText;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An error of OAuth.
 *
 * @param code such as {@code invalid_grant}
 * @param text of the server, without characters that do harm in a terminal or a log
 */
record OAuthError(String code, @Nullable String text) {
    /** The form of codes: words, and URLs of extensions. */
    private static final Pattern CODE = Pattern.compile("[A-Za-z0-9._:/ -]{1,100}");

    OAuthError {
        code = CODE.matcher(code).matches() ? code : "an error whose code is not well-formed";
        text = text == null ? null : PlainText.of(text);
    }

    static OAuthError of(Fetched answer) {
        Optional<Document> document = Document.of(answer);
        return new OAuthError(
                document.flatMap(given -> given.string("error"))
                        .orElse("status " + answer.status()),
                document.flatMap(given -> given.string("error_description")).orElse(null));
    }

    String description() {
        return text == null ? code : code + " (" + text + ")";
    }
}
