"""The words of the site's frame in every language; those of English are the keys."""

LANGUAGES = {"en": "English", "es": "Español", "pt": "Português"}
THEMES = {"en": "en", "es": "es", "pt": "pt-BR"}  # the theme's names of the languages

_WORDS = {
    "es": {
        "Learn": "Aprender",
        "Work": "Trabajar",
        "Coming from": "Si vienes de",
        "Differences": "Diferencias",
        "Inside": "Por dentro",
        "Gallery": "Galería",
        "Complete programs, each with a picture and its time.": (
            "Programas completos, cada uno con su dibujo y su tiempo."
        ),
        "It takes {} s on one core.": "Tarda {} s en un núcleo.",
        "Script": "Programa",
        "Notebook": "Notebook",
        "It prints:": "Imprime:",
        "Reference": "Referencia",
        "Every public name, with its types, examples and differences.": (
            "Todos los nombres públicos, con sus tipos, ejemplos y diferencias. Los textos de los "
            "nombres están en inglés."
        ),
        "namespace": "espacio de nombres",
        "names": "nombres",
        "name": "nombre",
        "meaning": "significado",
        "such as": "por ejemplo",
        "Types of arguments and results": "Tipos de argumentos y resultados",
        "TensorFlow's ops by their own names. All arguments are given by name.": (
            "Las operaciones de TensorFlow con sus propios nombres. Todos los argumentos se dan "
            "por nombre."
        ),
        "Source": "Código fuente",
        "Difference": "Diferencia",
        "Also": "También",
        "Derivative": "Derivada",
        "by": "respecto de",
        "no gradient": "sin gradiente",
        "Switch to light mode": "Cambiar al modo claro",
        "Switch to dark mode": "Cambiar al modo oscuro",
        "Follow the system": "Seguir al sistema",
        "A gradient tape in pure Python over NumPy, with the names and the results of TensorFlow": (
            "Una cinta de gradientes en Python puro sobre NumPy, con los nombres y las respuestas "
            "de TensorFlow"
        ),
    },
    "pt": {
        "Learn": "Aprender",
        "Work": "Trabalhar",
        "Coming from": "Vindo de",
        "Differences": "Diferenças",
        "Inside": "Por dentro",
        "Gallery": "Galeria",
        "Complete programs, each with a picture and its time.": (
            "Programas completos, cada um com sua imagem e seu tempo."
        ),
        "It takes {} s on one core.": "Leva {} s em um núcleo.",
        "Script": "Programa",
        "Notebook": "Notebook",
        "It prints:": "Imprime:",
        "Reference": "Referência",
        "Every public name, with its types, examples and differences.": (
            "Todos os nomes públicos, com seus tipos, exemplos e diferenças. As descrições "
            "estão em inglês."
        ),
        "namespace": "espaço de nomes",
        "names": "nomes",
        "name": "nome",
        "meaning": "significado",
        "such as": "por exemplo",
        "Types of arguments and results": "Tipos de argumentos e resultados",
        "TensorFlow's ops by their own names. All arguments are given by name.": (
            "As operações do TensorFlow com seus próprios nomes. Todos os argumentos são dados por "
            "nome."
        ),
        "Source": "Código-fonte",
        "Difference": "Diferença",
        "Also": "Também",
        "Derivative": "Derivada",
        "by": "em relação a",
        "no gradient": "sem gradiente",
        "Switch to light mode": "Mudar para o modo claro",
        "Switch to dark mode": "Mudar para o modo escuro",
        "Follow the system": "Seguir o sistema",
        "A gradient tape in pure Python over NumPy, with the names and the results of TensorFlow": (
            "Uma fita de gradientes em Python puro sobre NumPy, com os nomes e as respostas do "
            "TensorFlow"
        ),
    },
}


def translated(words: str, language: str) -> str:
    """Words of the frame in a language."""
    return words if language == "en" else _WORDS[language][words]
