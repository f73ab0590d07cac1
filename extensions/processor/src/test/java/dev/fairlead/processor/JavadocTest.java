package dev.fairlead.processor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

class JavadocTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Finds {@code List<String>} &amp; more.|Finds List<String> & more.",
                "Finds <b>all</b>.|Finds all.",
                "See {@link Book#title} or {@link #find the other}.|See Book.title or the other.",
                "{@link Map#get(Object, int) Gets} it.|Gets it.",
                "{@literal @}home &lt;3 &#64; &#x40;|@home <3 @ @",
                "A {@code {nested}} brace.|A {nested} brace.",
                "{@return what is left}|Returns what is left.",
                "Left {@code open|Left {@code open",
                "{@inheritDoc}Only this.|Only this."
            })
    void markupBecomesText(String comment, String text) {
        assertThat(Javadoc.parse(" " + comment).text()).isEqualTo(text);
    }

    @Test
    void paragraphsAndItemsRemain() {
        assertThat(
                        Javadoc.parse(
                                        """
                                         One
                                         two.

                                         <p>Three:
                                         <ul>
                                           <li>four
                                           <li>five
                                         </ul>
                                        """)
                                .text())
                .isEqualTo("One two.\n\nThree:\n- four\n- five");
    }

    @Test
    void tagsAreNoText() {
        Javadoc javadoc =
                Javadoc.parse(
                        """
                         Finds.
                         {@code
                         @McpTool
                         }
                         @param words of the
                            title
                         @param none
                         @return books
                         @throws Exception never
                        """);

        assertThat(javadoc.text()).isEqualTo("Finds. @McpTool");
        assertThat(javadoc.parameters()).isEqualTo(Map.of("words", "of the title"));
    }

    @Test
    void aCommentMayBeginWithATag() {
        assertThat(Javadoc.parse("@param x y").text()).isNull();
        assertThat(Javadoc.parse("@param x y").parameters()).containsEntry("x", "y");
    }
}
