package dev.fairlead.server.requests;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.TypeRef;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;

import java.util.List;

class FormTest {
    @Test
    @Requirement("ELIC-009")
    void aRecordThatIsNotFlatIsRefused() {
        record Confirm(boolean confirmed) {}
        record Nested(Confirm confirm) {}
        assertThatThrownBy(() -> new Form<>(TypeRef.of(Nested.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the component confirm");
        assertThatThrownBy(() -> new Form<>(new TypeRef<List<String>>() {}))
                .isInstanceOf(IllegalArgumentException.class);
        record Texts(List<String> texts) {}
        assertThatThrownBy(() -> new Form<>(TypeRef.of(Texts.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the component texts");
    }
}
