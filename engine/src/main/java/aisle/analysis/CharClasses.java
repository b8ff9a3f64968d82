package aisle.analysis;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;

/** Named character classes: letter, digit … and every Unicode category of java.lang.Character. */
final class CharClasses {

    private static final Map<String, IntPredicate> CLASSES = classes();

    private CharClasses() {}

    /** Returns the class of that name, which is not case-sensitive. */
    static IntPredicate named(String name) {
        IntPredicate found = CLASSES.get(name.toLowerCase(Locale.ROOT).trim());
        if (found == null) {
            throw new IllegalArgumentException(
                "Unknown token type: '" + name + "', must be one of " + CLASSES.keySet()
            );
        }
        return found;
    }

    /** Matches any of the classes; `custom` stands for the characters given with it. */
    static IntPredicate anyOf(List<String> names, String custom) {
        IntPredicate any = c -> false;
        for (String name : names) {
            any = any.or(isCustom(name) ? charsOf(custom) : named(name));
        }
        return any;
    }

    private static boolean isCustom(String name) {
        return name.toLowerCase(Locale.ROOT).trim().equals("custom");
    }

    private static IntPredicate charsOf(String chars) {
        if (chars == null) {
            throw new IllegalArgumentException("Token type: 'custom' requires setting `custom_token_chars`");
        }
        return c -> chars.indexOf(c) >= 0;
    }

    private static Map<String, IntPredicate> classes() {
        Map<String, IntPredicate> classes = new HashMap<>();
        classes.put("letter", Character::isLetter);
        classes.put("digit", Character::isDigit);
        classes.put("whitespace", Character::isWhitespace);
        classes.put("punctuation", c -> switch (Character.getType(c)) {
            case Character.START_PUNCTUATION, Character.END_PUNCTUATION, Character.OTHER_PUNCTUATION,
                Character.CONNECTOR_PUNCTUATION, Character.DASH_PUNCTUATION,
                Character.INITIAL_QUOTE_PUNCTUATION, Character.FINAL_QUOTE_PUNCTUATION -> true;
            default -> false;
        });
        classes.put("symbol", c -> switch (Character.getType(c)) {
            case Character.CURRENCY_SYMBOL, Character.MATH_SYMBOL, Character.OTHER_SYMBOL,
                Character.MODIFIER_SYMBOL -> true;
            default -> false;
        });
        for (Field field : Character.class.getFields()) {
            if (field.getType() != byte.class || field.getName().startsWith("DIRECTIONALITY")
                || !Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            try {
                byte category = field.getByte(null);
                classes.put(field.getName().toLowerCase(Locale.ROOT), c -> Character.getType(c) == category);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        return Map.copyOf(classes);
    }
}
