package dev.fairlead.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Collections;

/**
 * Patterns with which the engine of the JDK makes steps without looking at its text. The engine
 * does not notice an interrupt in them, hence the thread of its own.
 */
@Timeout(value = 120, unit = SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Requirement("JSON-012")
class BlindPatternsTest {
    private static final JsonViolation TOO_COSTLY =
            new JsonViolation("", "takes too much effort to check against its schema");

    private static JsonSchema pattern(String regex) {
        return JsonSchema.of(JsonObject.of("pattern", regex));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ' ',
            value = {
                "`(?x)((() {100000}) {100000}) {100000}` (?x",
                "`(?x)# [\n((((){1000}){1000}){1000}){1000}` (?x",
                "(?>a) (?>",
                "\\c[?((((){1000}){1000}){1000}){1000} \\c",
                "[\\c]((((){1000}){1000}){1000}){1000}] \\c",
                "[\\Q[\\E]?((((){1000}){1000}){1000}){1000} \\Q",
                "\\Q(\\E \\Q",
                "[a[]((((){1000}){1000}){1000}){1000}]] `[ in a class`",
                "[a-z&&[^b]] `&& in a class`",
                "[]((((){1000}){1000}){1000}){1000}] `an empty class`",
                "[^]a] `an empty class`",
                "{1000} `a count of nothing`",
                "a{2}{1000} `a count of nothing`",
                "(){1000}{1000} `a count of nothing`",
                "a*+ `a possessive quantifier`",
                "a{2}+ `a possessive quantifier`",
                "\\b{g} \\b{g",
                "\\Ga \\G",
                "\\R \\R",
                "\\X \\X",
                "\\h \\h",
                "\\N{DIGIT.ONE} `` ",
                "\\x{41} \\x",
                "\\07 \\0",
                "(?ix)a (?i",
            })
    void syntaxThatEcma262DoesNotHaveIsRefused(String regex, String syntax) {
        String problem =
                syntax.isEmpty()
                        ? "not a regular expression: "
                        : "a regular expression with "
                                + syntax
                                + ", which ECMA 262 does not have or reads differently: ";
        assertThatThrownBy(pattern(regex)::check)
                .isInstanceOf(JsonSchemaException.class)
                .hasMessage("the schema has a pattern that is " + problem + regex);
    }

    @Test
    void aMatchesAnnotationIsRefusedForItToo() {
        record Part(@Matches("a*+") String name) {}
        assertThatThrownBy(() -> JsonCodec.of(Part.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "a regular expression with a possessive quantifier, which ECMA 262 does");
    }

    /** Schemas that are made from Python or Java have these. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(?i)^AB$",
                "(?i:AB)",
                "^(?s-m:ab)\\z",
                "\\A(?i)Ab\\Z",
                "^\\pL+$",
            })
    void flagsAndAnchorsThatHideNothingAreTaken(String regex) {
        assertThat(pattern(regex).validate(JsonValue.of("ab"))).isEmpty();
        assertThat(pattern(regex).validate(JsonValue.of("7"))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(((){1000}){1000}){1000}",
                "(?:(?:^|){100}){1000}x",
                "(?:(?:\\b){200}){200}x",
                "()(?:\\1{200}){200}x",
                "(?<a>)(?:\\k<a>{200}){200}x",
                "(?:(?=){200}){200}x",
                "(?:(?!a){200}){200}x",
                "(?:(?<=){200}){200}x",
                "(?:(?:a?){200}){200}",
                "(?:(?:a*b?){200}){200,300}",
                "(?:(?:){200,}){200,}x",
                "(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)$",
                "()?()?()?()?()?()?()?()?()?()?()?()?()?()?()?()?()?()?()?()?$",
                "a(?:b*|c*)(?:b*|c*)(?:b*|c*)(?:b*|c*)(?:b*|c*)(?:b*|c*)(?:b*|c*)(?:b*|c*)"
                        + "(?:b*|c*)(?:b*|c*)(?:b*|c*)(?:b*|c*)(?:b*|c*)(?:b*|c*)(?:b*|c*)(?=x)",
                "a(?:(?:(?:(?:(?:(?:(?:(?:(?:b*)*)*)*)*)*)*)*)*)*(?=x)",
            })
    void manyStepsAtOnePlaceAreRefused(String regex) {
        assertThatThrownBy(pattern(regex)::check)
                .isInstanceOf(JsonSchemaException.class)
                .hasMessage(
                        "the schema has a pattern that is a regular expression that can take more"
                                + " than 10000 steps at one place of a text");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "((){100}){99}$",
                "(?:(?:^){70}){70}x",
                "(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)$x",
                "(?<=$.{0,99999999})x",
                "(?<=$.*)x",
                "(?<!(?:){9}.{0,99999999})x",
                "(?:a(?<=$.{0,99999999}))*$x",
            })
    void stepsAtAllPlacesOfALongTextAreCounted(String regex) {
        JsonSchema schema = pattern(regex);
        assertThat(schema.validate(JsonValue.of("a".repeat(10_000_000))))
                .containsExactly(TOO_COSTLY);
        assertThat(schema.validate(JsonValue.of("b"))).doesNotContain(TOO_COSTLY);
    }

    @Test
    void toReadAnExpressionWithALookBehindForEachTextIsCounted() {
        JsonSchema schema =
                JsonSchema.of(
                        JsonObject.of("items", pattern("(?<=b)" + "(?:a)".repeat(300)).json()));
        JsonArray texts = JsonArray.of(Collections.nCopies(20_000, "").toArray());
        assertThat(JsonSchema.of(JsonObject.of("not", schema.json())).validate(texts))
                .containsExactly(TOO_COSTLY);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ' ',
            value = {
                "^((25[0-5]|(2[0-4]|1\\d|[1-9]|)\\d)\\.?\\b){4}$ 127.0.0.1",
                "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)[A-Za-z\\d@$!%*?&]{8,}$ aB3@aB3@",
                "^-?P(?!$)(\\d+Y)?(\\d+M)?(T(?=\\d)(\\d+H)?(\\d+(\\.\\d+)?S)?)?$ P1YT2.5S",
                "^([a-z]*[0-9]*[-_]?){0,30}$ a1-b2_c",
                "^(?:[a-z]*\\s*){1,100}$ `some words here`",
                "(?<=^\\s*)foo `  foo`",
                "(?<!\\\\)\" a\"",
                "(?<year>\\d{4})-\\k<year> 2026-2026",
                "^[\\w\\-.\\u00e4\\x41{}]+$ a-ä.A{}",
                "^\\p{Letter}[\\p{L}$^&|]+\\cJ?$ Ab$&",
                "^a{2,3}?]}\\$$ aaa]}$",
            })
    void usualExpressionsWork(String regex, String text) {
        JsonSchema schema = pattern(regex);
        assertThat(schema.validate(JsonValue.of(text))).isEmpty();
        assertThat(schema.validate(JsonValue.of("§".repeat(100_000)))).hasSize(1);
    }
}
