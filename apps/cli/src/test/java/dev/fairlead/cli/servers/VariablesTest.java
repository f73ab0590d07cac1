package dev.fairlead.cli.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

class VariablesTest {
    private final Variables variables =
            new Variables(Map.of("TOKEN", "s3cret", "EMPTY", "", "ODD", "${TOKEN} $1 \\"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    plain            | plain
                    ${TOKEN}         | s3cret
                    ${env:TOKEN}     | s3cret
                    a-${TOKEN}-${TOKEN}-b | a-s3cret-s3cret-b
                    ${TOKEN:-other}  | s3cret
                    ${NONE:-other}   | other
                    ${env:NONE:-a:-b}| a:-b
                    [${NONE:-}]      | []
                    [${EMPTY}]       | []
                    ${ODD}           | ${TOKEN} $1 \\
                    $TOKEN ${TOKEN   | $TOKEN ${TOKEN
                    {env:TOKEN}      | s3cret
                    Bearer {env:TOKEN}-{env:TOKEN} {env:TOKEN | Bearer s3cret-s3cret {env:TOKEN
                    $TOKEN           | s3cret
                    Bearer $TOKEN    | Bearer s3cret
                    [$TOKEN]         | [$TOKEN]
                    $NONE            | $NONE
                    $ODD             | ${TOKEN} $1 \\
                    {TOKEN} {}       | {TOKEN} {}
                    """)
    void aReferenceGivesWayToTheValueOfTheVariable(String text, String expanded) {
        assertThat(variables.expand(text)).isEqualTo(expanded);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ${NONE}", "Bearer {env:NONE}"})
    void aVariableThatIsNotSetIsNamed(String text) {
        assertThatThrownBy(() -> variables.expand(text))
                .isInstanceOf(TargetException.class)
                .hasMessage("needs the environment variable NONE, which is not set");
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:key", "", "a b", "1A", "env:"})
    void aReferenceOfAnotherKindIsRefused(String reference) {
        assertThatThrownBy(() -> variables.expand("${" + reference + "}"))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "has ${"
                                + reference
                                + "}, but only ${NAME}, ${NAME:-default}, ${env:NAME},"
                                + " ${workspaceFolder} and ${userHome} are supported");
    }

    @Test
    void aReferenceOfAnotherHostIsShownAsItIsWritten() {
        assertThat(variables.expand("{env:a b} {file:>20}:{line}")) // templates of programs
                .isEqualTo("{env:a b} {file:>20}:{line}");
        assertThatThrownBy(() -> variables.expand("Bearer {file:~/.key}"))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "has {file:~/.key}, but no file is read in its place; write ${NAME}, and"
                                + " set the environment variable NAME");
    }

    @Test
    void aReferenceThatAsksAPersonIsRefused() {
        assertThatThrownBy(() -> variables.expand("Bearer ${input:key}"))
                .isInstanceOf(TargetException.class)
                .hasMessage(
                        "has ${input:key}, for which its host asks a person; write ${NAME}, and set"
                                + " the environment variable NAME");
    }
}
