package dev.fairlead.server.handler;

import java.util.regex.Pattern;

/** The rule for keys of questions. */
final class QuestionKey {
    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

    private QuestionKey() {}

    static String checked(String key) {
        if (!LEGAL.matcher(key).matches()) {
            throw new IllegalArgumentException(
                    "The key of a question must have 1 to 64 characters A-Z a-z 0-9 _ - . but was '"
                            + key
                            + "'");
        }
        return key;
    }
}
