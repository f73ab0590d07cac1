package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Fetched;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * An error of OAuth.
 *
 * @param code such as {@code invalid_grant}
 * @param text of the server, without characters that do harm in a terminal or a log
 */
record OAuthError(String code, @Nullable String text) {
    private static final int LONGEST = 200;

    OAuthError {
        code = harmless(code);
        text = text == null ? null : harmless(text);
    }

    static OAuthError of(Fetched answer) {
        Optional<Document> document = Document.of(answer);
        return new OAuthError(
                document.flatMap(given -> given.string("error"))
                        .orElse("status " + answer.status()),
                document.flatMap(given -> given.string("error_description")).orElse(null));
    }

    private static String harmless(String text) {
        String visible = text.replaceAll("[\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]", " ");
        return visible.length() <= LONGEST ? visible : visible.substring(0, LONGEST) + "…";
    }

    String description() {
        return text == null ? code : code + " (" + text + ")";
    }
}
