package dev.fairlead.auth.client;

import dev.fairlead.auth.fetch.Fetched;
import dev.fairlead.auth.fetch.PlainText;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
                document.flatMap(OAuthError::text).or(() -> redirect(answer)).orElse(null));
    }

    /** Returns whether an answer has an error, whatever its status. */
    static boolean isIn(Document answer) {
        JsonValue error = answer.json().get("error");
        return error instanceof JsonString || error instanceof JsonObject;
    }

    /** The text of an error, also where a web framework has written it. */
    private static Optional<String> text(Document answer) {
        Document error =
                answer.json().get("error") instanceof JsonObject object
                        ? new Document(object)
                        : answer;
        return Stream.of("error_description", "message", "detail")
                .flatMap(member -> error.string(member).stream())
                .findFirst();
    }

    /** The place of a redirect, without its query, which may have secrets. */
    private static Optional<String> redirect(Fetched answer) {
        return answer.status() / 100 == 3
                ? answer.header("Location")
                        .map(
                                place ->
                                        "a redirect to "
                                                + PlainText.of(place.split("[?#]", 2)[0])
                                                + ", which is not followed")
                : Optional.empty();
    }

    String description() {
        return text == null ? code : code + " (" + text + ")";
    }
}
